package weaviate

import (
	_ "github.com/weaviate/weaviate-go-client/v4/weaviate"
	_ "github.com/weaviate/weaviate-go-client/v4/weaviate/auth"
	_ "github.com/weaviate/weaviate-go-client/v4/weaviate/graphql"
	_ "github.com/weaviate/weaviate/entities/models"
)
