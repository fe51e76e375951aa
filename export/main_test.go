package export_test

import (
	"os"
	"testing"

	"dogear/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Main(m)) }
