package user

import (
	"testing"

	"example.com/shop/internal/log"
)

func TestAdds(t *testing.T) {
	log.Write("example.com/shop/user::TestAdds")
}

func TestIsAdmin(t *testing.T) {
	log.Write("example.com/shop/user::TestIsAdmin")
	t.Fatal("no such role")
}
