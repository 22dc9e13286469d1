import {
  createTagRequest,
  listQuery,
  searchTagQuery,
  searchTagReply,
  TAG_KINDS,
  TAG_PATHS,
  type TagKind,
  tag,
} from '@catenary/contracts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { TagsService } from './tags.service.ts'

/** The chain screens refetch the list here, too. */
const CHAIN_TAGS_ALIAS = '/api/chains/tags'

export function tagsRoutes({ tags }: { tags: TagsService }): Routes {
  return (app) => {
    for (const kind of TAG_KINDS) {
      listRoute({ app, tags, kind, path: TAG_PATHS[kind] })
      collectionRoutes({ app, tags, kind })
    }
    listRoute({ app, tags, kind: 'chain', path: CHAIN_TAGS_ALIAS })
  }
}

interface Collection {
  app: HttpApp
  tags: TagsService
  kind: TagKind
}

function listRoute({ app, tags, kind, path }: Collection & { path: string }): void {
  defineListRoute(app, path, {
    tags: ['tags'],
    summary: `The ${kind} tags, by name`,
    querystring: listQuery,
    item: tag,
    read: ({ query }) => tags.list({ kind, query }),
  })
}

function collectionRoutes({ app, tags, kind }: Collection): void {
  const path = TAG_PATHS[kind]
  app.get(
    `${path}/search`,
    {
      schema: {
        tags: ['tags'],
        summary: `Find a ${kind} tag by its name, without regard to case`,
        description: 'An empty object when there is no such tag.',
        querystring: searchTagQuery,
        response: { 200: searchTagReply },
      },
    },
    (request) => tags.search({ kind, name: request.query.name }),
  )

  app.post(
    path,
    {
      schema: {
        tags: ['tags'],
        summary: `Create a ${kind} tag`,
        description: '409 with the existing tag as details when the name is taken without regard to case.',
        body: createTagRequest,
        response: { 201: tag },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return reply.code(201).send(await tags.create({ kind, name: request.body.name, user }))
    },
  )
}
