import {
  idParams,
  listedPrompt,
  listPromptsQuery,
  prompt,
  savePromptRequest,
  sharePromptRequest,
  slugParams,
  togglePromptRequest,
} from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import {
  createPrompt,
  deletePrompt,
  duplicatePrompt,
  savePrompt,
  sharePrompt,
  togglePrompt,
} from './operations/change-prompt.ts'
import { listPrompts, promptListState } from './operations/list-prompts.ts'
import { readPrompt, readPromptBySlug } from './operations/read-prompts.ts'
import type { PromptsDeps } from './prompts-deps.ts'

const STALE = '409 with the current prompt as details when the revision is stale.'

export function promptsRoutes(deps: PromptsDeps): Routes {
  return (app) => {
    readRoutes(app, deps)
    writeRoutes(app, deps)
    copyRoutes(app, deps)
  }
}

function readRoutes(app: HttpApp, deps: PromptsDeps): void {
  defineListRoute(app, '/api/prompts', {
    tags: ['prompts'],
    summary: 'The prompts that the caller can see',
    description: '304 when `If-None-Match` names the list as it still is.',
    querystring: listPromptsQuery,
    item: listedPrompt,
    stateOf: async (call) => promptListState(deps, await optionalUser(call)),
    read: async (call) => listPrompts(deps, { viewer: await optionalUser(call), query: call.query }),
  })

  app.get(
    '/api/prompts/:id',
    { schema: { tags: ['prompts'], summary: 'One prompt', params: idParams, response: { 200: prompt } } },
    async (request) => readPrompt(deps, { id: request.params.id, user: await optionalUser(request) }),
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
    async (request) => readPromptBySlug(deps, { ...request.params, user: await optionalUser(request) }),
  )
}

function writeRoutes(app: HttpApp, deps: PromptsDeps): void {
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
      return reply.code(201).send(await createPrompt(deps, { fields, user }))
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
      return savePrompt(deps, { id: request.params.id, user, revision, fields })
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
      return sharePrompt(deps, { id: request.params.id, user, isPublic })
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
      return togglePrompt(deps, { id: request.params.id, user, isActive: request.body?.isActive })
    },
  )

  defineDeleteRoute(app, '/api/prompts/:id', {
    tags: ['prompts'],
    summary: 'Delete a prompt, its versions and its history',
    params: idParams,
    remove: async (call) => deletePrompt(deps, { id: call.params.id, user: await requireUser(call) }),
  })
}

function copyRoutes(app: HttpApp, deps: PromptsDeps): void {
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
      return reply.code(201).send(await duplicatePrompt(deps, { id: request.params.id, user }))
    },
  )
}
