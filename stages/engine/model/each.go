package model

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Each calls fn for 0 to n−1 at the same time and returns the first error. A panic
// of fn becomes an error.
func Each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	if n == 1 {
		return fn(ctx, 0)
	}
	group, ctx := errgroup.WithContext(ctx)
	for i := range n {
		group.Go(func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("panic: %v", p)
				}
			}()
			return fn(ctx, i)
		})
	}
	return group.Wait()
}
