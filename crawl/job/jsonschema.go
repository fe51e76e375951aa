package job

import (
	"bytes"
	_ "embed"
)

//go:embed job.schema.json
var jsonSchema []byte

// JSONSchema returns the JSON Schema (draft 2020-12) of the job file, for editors. The loader is the authority: it also
// checks what a schema can't say, such as selectors and names that lead somewhere. A test holds the two together.
func JSONSchema() []byte { return bytes.Clone(jsonSchema) }
