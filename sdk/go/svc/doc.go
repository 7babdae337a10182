// The metadata of a GraphQL engine, each object of it a resource
package svc
