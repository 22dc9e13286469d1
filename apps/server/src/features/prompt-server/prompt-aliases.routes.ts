import { idParams, promptAlias, promptAliasParams } from '@catenary/contracts'
import * as z from 'zod'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { PromptAliases } from './prompt-aliases.service.ts'

const tags = ['prompts']
const aliases = z.array(promptAlias).describe('By name.')

export function promptAliasesRoutes({ promptAliases }: { promptAliases: PromptAliases }): Routes {
  return (app) => {
    app.get(
      '/api/prompts/:id/aliases',
      {
        schema: {
          tags,
          summary: 'Names that code has for a prompt from elsewhere, for people who may change it',
          params: idParams,
          response: { 200: aliases, ...errorReplies(401, 403) },
        },
      },
      async (request) => promptAliases.list({ id: request.params.id, user: await requireUser(request) }),
    )

    app.put(
      '/api/prompts/:id/aliases/:alias',
      {
        schema: {
          tags,
          summary: 'Give a prompt an alias, for its owner',
          description: '409 where another prompt of the owner has it. Others’ names don’t matter (D48).',
          params: promptAliasParams,
          response: { 200: aliases, ...errorReplies(409) },
        },
      },
      async (request) => promptAliases.give({ ...request.params, user: await requireUser(request) }),
    )

    app.delete(
      '/api/prompts/:id/aliases/:alias',
      {
        schema: {
          tags,
          summary: 'Take an alias from a prompt, for its owner',
          params: promptAliasParams,
          response: { 200: aliases },
        },
      },
      async (request) => promptAliases.take({ ...request.params, user: await requireUser(request) }),
    )
  }
}
