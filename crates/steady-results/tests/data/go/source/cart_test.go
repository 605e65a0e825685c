package cart

import "testing"

func TestTotal(t *testing.T) {}

func TestDiscount(t *testing.T) { t.Log("ünï 🛒"); t.Fatalf("got %d, want %d", 9, 8) }

func TestSkipped(t *testing.T) { t.Skip("not on this machine") }

func TestTexts(t *testing.T) {
	for _, text := range []string{"plain", "ünï 🛒", "a/b", "<&\"'>"} {
		t.Run(text, func(t *testing.T) {
			if text == "a/b" {
				t.Error("slash")
			}
		})
	}
}

func TestPanics(t *testing.T) { panic("no database") }

func TestAfter(t *testing.T) {}
