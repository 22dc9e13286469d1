import {
  idParams,
  listedPrompt,
  listedPromptVersion,
  listPromptsQuery,
  listQuery,
  noContent,
  prompt,
  promptVersion,
  promptVersionParams,
  restorePromptRequest,
  savePromptRequest,
  sharePromptRequest,
  slugParams,
  togglePromptRequest,
} from '@catenary/contracts'
import { isUnchanged } from '../../platform/http/etag.ts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { PromptsService } from './prompts.service.ts'

const promptList = defineListReply(listedPrompt)

const versionList = defineListReply(listedPromptVersion)

const CHANGERS = 'For people who may change the prompt.'
const STALE = '409 with the current prompt as details when the revision is stale.'

export function promptsRoutes({ prompts }: { prompts: PromptsService }): Routes {
  return (app) => {
    readRoutes(app, prompts)
    writeRoutes(app, prompts)
    copyRoutes(app, prompts)
    versionRoutes(app, prompts)
  }
}

function readRoutes(app: HttpApp, prompts: PromptsService): void {
  app.get(
    '/api/prompts',
    {
      schema: {
        tags: ['prompts'],
        summary: 'The prompts that the caller can see',
        description: '304 when `If-None-Match` names the list as it still is.',
        querystring: listPromptsQuery,
        response: { 200: promptList.schema, 304: noContent },
      },
    },
    async (request, reply) => {
      const viewer = await optionalUser(request)
      // Before the list is read: a change in between then costs a reading, and never goes unseen.
      const state = await prompts.listState(viewer)
      if (isUnchanged({ request, reply, state, schema: promptList.schema })) return reply.code(304).send()
      return promptList.send(reply, await prompts.list({ viewer, query: request.query }))
    },
  )

  app.get(
    '/api/prompts/:id',
    { schema: { tags: ['prompts'], summary: 'One prompt', params: idParams, response: { 200: prompt } } },
    async (request) => prompts.find({ id: request.params.id, user: await optionalUser(request) }),
  )

  app.get(
    '/api/prompts/by-slug/:slug',
    {
      schema: {
        tags: ['prompts'],
        summary: 'One prompt by a slug that it has or had',
        params: slugParams,
        response: { 200: prompt },
      },
    },
    async (request) => prompts.findBySlug({ ...request.params, user: await optionalUser(request) }),
  )
}

function writeRoutes(app: HttpApp, prompts: PromptsService): void {
  app.post(
    '/api/prompts',
    {
      schema: {
        tags: ['prompts'],
        summary: 'Create a prompt',
        body: savePromptRequest,
        response: { 201: prompt },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const { revision: _, ...fields } = request.body
      return reply.code(201).send(await prompts.create({ fields, user }))
    },
  )

  app.put(
    '/api/prompts/:id',
    {
      schema: {
        tags: ['prompts'],
        summary: 'Save a prompt',
        description: STALE,
        params: idParams,
        body: savePromptRequest,
        response: { 200: prompt },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      const { revision, ...fields } = request.body
      return prompts.save({ id: request.params.id, user, revision, fields })
    },
  )

  app.patch(
    '/api/prompts/:id/share',
    {
      schema: {
        tags: ['prompts'],
        summary: 'Make a prompt public or private',
        description: 'Whom it is shared with by name stays as it is; an editor may only repeat the level.',
        params: idParams,
        body: sharePromptRequest,
        response: { 200: prompt },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      const isPublic = request.body.sharedLevel === 'public'
      return prompts.share({ id: request.params.id, user, isPublic })
    },
  )

  app.patch(
    '/api/prompts/:id/toggle',
    {
      schema: {
        tags: ['prompts'],
        summary: 'Activate or deactivate a prompt',
        params: idParams,
        body: togglePromptRequest,
        response: { 200: prompt },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return prompts.toggle({ id: request.params.id, user, isActive: request.body?.isActive })
    },
  )

  app.delete(
    '/api/prompts/:id',
    {
      schema: {
        tags: ['prompts'],
        summary: 'Delete a prompt, its versions and its history',
        params: idParams,
        response: { 204: noContent },
      },
    },
    async (request, reply) => {
      await prompts.delete({ id: request.params.id, user: await requireUser(request) })
      return reply.code(204).send()
    },
  )
}

function copyRoutes(app: HttpApp, prompts: PromptsService): void {
  app.post(
    '/api/prompts/:id/duplicate',
    {
      schema: {
        tags: ['prompts'],
        summary: 'Make an own private copy of a prompt',
        description: 'With its tags; versions, history and whom it is shared with stay behind.',
        params: idParams,
        response: { 201: prompt },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return reply.code(201).send(await prompts.duplicate({ id: request.params.id, user }))
    },
  )
}

function versionRoutes(app: HttpApp, prompts: PromptsService): void {
  app.get(
    '/api/prompts/:id/versions',
    {
      schema: {
        tags: ['prompts'],
        summary: 'The versions of title and content, newest first',
        description: CHANGERS,
        params: idParams,
        querystring: listQuery,
        response: { 200: versionList.schema },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const { id } = request.params
      return versionList.send(reply, await prompts.listVersions({ id, user, query: request.query }))
    },
  )

  app.get(
    '/api/prompts/:id/versions/:number',
    {
      schema: {
        tags: ['prompts'],
        summary: 'One version with its whole content',
        description: CHANGERS,
        params: promptVersionParams,
        response: { 200: promptVersion },
      },
    },
    async (request) => prompts.findVersion({ ...request.params, user: await requireUser(request) }),
  )

  app.post(
    '/api/prompts/:id/versions/:number/restore',
    {
      schema: {
        tags: ['prompts'],
        summary: "Save an older version's title and content as a new version",
        description: STALE,
        params: promptVersionParams,
        body: restorePromptRequest,
        response: { 200: prompt },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return prompts.restore({ ...request.params, user, revision: request.body?.revision })
    },
  )

  app.delete(
    '/api/prompts/:id/versions/:number',
    {
      schema: {
        tags: ['prompts'],
        summary: 'Delete a version',
        description: `${CHANGERS} 409 for the current one, and for one that a label or a step of a chain holds.`,
        params: promptVersionParams,
        response: { 204: noContent },
      },
    },
    async (request, reply) => {
      await prompts.deleteVersion({ ...request.params, user: await requireUser(request) })
      return reply.code(204).send()
    },
  )
}
