package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/config"
)

// Values has shells complete a flag of cmd with the given values. There must be
// such a flag.
func Values(cmd *cobra.Command, flag string, values ...string) {
	mustComplete(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// ListValues is Values for a flag that takes several, separated by commas.
func ListValues(cmd *cobra.Command, flag string, values ...string) {
	mustComplete(cmd, flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var out []string
		for _, v := range values {
			if !strings.Contains(","+before, ","+v+",") {
				out = append(out, before+v)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// mustComplete panics where there is no such flag, or it has its values already:
// no command line can cause that.
func mustComplete(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err)
	}
}

// completeGlobal has shells complete the flags that every command has, and no
// file names where a command takes none.
func completeGlobal(root *cobra.Command) {
	for flag, values := range config.FlagValues() {
		Values(root, flag, values...)
	}
	mustComplete(root, "config", cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt))
	mustComplete(root, "data", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
	withoutFiles(root)
}

func withoutFiles(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && !strings.Contains(cmd.Use, "PATH") {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		withoutFiles(sub)
	}
}
