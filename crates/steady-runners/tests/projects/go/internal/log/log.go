// Package log writes down which tests ran.
package log

import "os"

// Write appends the id of a test.
func Write(id string) {
	file, err := os.OpenFile(os.Getenv("STEADY_TEST_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.WriteString(id + "\n"); err != nil {
		panic(err)
	}
}
