package model

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// cache keeps the values used last; nil keeps nothing. The library's own
// expiring cache has a goroutine that nothing ends, so ages are kept here.
type cache[T any] struct {
	lru *lru.Cache[string, kept[T]]
	ttl time.Duration
}

type kept[T any] struct {
	value T
	since time.Time
}

func newCache[T any](size int, ttl time.Duration) *cache[T] {
	if size <= 0 {
		return nil
	}
	c, err := lru.New[string, kept[T]](size)
	if err != nil { // a size below 1, which was excluded
		return nil
	}
	return &cache[T]{c, ttl}
}

func (c *cache[T]) get(key string) (value T, ok bool) {
	if c == nil {
		return value, false
	}
	k, ok := c.lru.Get(key)
	if !ok || c.ttl > 0 && time.Since(k.since) > c.ttl {
		return value, false
	}
	return k.value, true
}

func (c *cache[T]) put(key string, value T) {
	if c != nil {
		c.lru.Add(key, kept[T]{value, time.Now()})
	}
}
