package cli

import (
	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
)

func newSchema(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "schema", Usage: "print the JSON Schema of the job file, for completion in editors",
		Description: "Example: dogear schema > dogear.schema.json\n" +
			"and as the first line of a job file: # yaml-language-server: $schema=dogear.schema.json",
		Flags: []cli.Flag{},
		Action: func(c *cli.Context) error {
			_, err := s.Out.Write(job.JSONSchema())
			return err
		},
	})
}
