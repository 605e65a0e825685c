package cart

import (
	"testing"

	"example.com/shop/internal/log"
)

func TestAdds(t *testing.T) {
	log.Write("example.com/shop/cart::TestAdds")
}

func TestSums(t *testing.T) {
	for _, name := range []string{"one", "1+1=$2"} {
		t.Run(name, func(t *testing.T) {
			log.Write("example.com/shop/cart::TestSums/" + name)
		})
	}
}
