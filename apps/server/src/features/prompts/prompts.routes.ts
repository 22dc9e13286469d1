import {
  idParams,
  listPromptsQuery,
  noContent,
  prompt,
  promptVersion,
  promptVersionParams,
  restorePromptRequest,
  savePromptRequest,
  sharePromptRequest,
  togglePromptRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { isUnchanged } from '../../platform/http/etag.ts'
import { projectingSerializer } from '../../platform/http/projection.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { PromptsService } from './prompts.service.ts'

const promptList = z.array(prompt)

const STALE = '409 with the current prompt as details when the revision is stale.'

export function promptsRoutes({ prompts }: { prompts: PromptsService }): Routes {
  return (app) => {
    readRoutes(app, prompts)
    writeRoutes(app, prompts)
    versionRoutes(app, prompts)
  }
}

function readRoutes(app: HttpApp, prompts: PromptsService): void {
  app.get(
    '/api/prompts',
    {
      schema: {
        tags: ['prompts'],
        summary: 'The prompts that the caller can see, last updated first',
        description: '304 when `If-None-Match` names the list as it still is.',
        querystring: listPromptsQuery,
        response: { 200: promptList, 304: noContent },
      },
      serializerCompiler: projectingSerializer,
    },
    async (request, reply) => {
      const viewer = await optionalUser(request)
      // Before the list is read: a change in between then costs a reading, and never goes unseen.
      const state = await prompts.listState(viewer)
      if (isUnchanged({ request, reply, state, schema: promptList })) return reply.code(304).send()
      return prompts.list({ viewer, filter: request.query })
    },
  )

  app.get(
    '/api/prompts/:id',
    { schema: { tags: ['prompts'], summary: 'One prompt', params: idParams, response: { 200: prompt } } },
    async (request) => prompts.find({ id: request.params.id, user: await optionalUser(request) }),
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

function versionRoutes(app: HttpApp, prompts: PromptsService): void {
  app.get(
    '/api/prompts/:id/versions',
    {
      schema: {
        tags: ['prompts'],
        summary: 'The versions of title and content, newest first',
        description: 'For people who may change the prompt.',
        params: idParams,
        response: { 200: z.array(promptVersion) },
      },
    },
    async (request) => prompts.listVersions({ id: request.params.id, user: await requireUser(request) }),
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
}
