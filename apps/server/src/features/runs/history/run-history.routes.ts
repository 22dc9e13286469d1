import {
  chainHistoryQuery,
  idParams,
  listedPromptRun,
  listPromptRunsQuery,
  pageQuery,
  promptHistoryQuery,
  promptRun,
  promptRunParams,
  runFileParams,
  runStep,
  runStepParams,
  seenChainRun,
  seenLatestRun,
  seenRun,
  seenRunState,
  tokenRun,
} from '@catenary/contracts'
import * as z from 'zod'
import { defineDeleteRoute } from '../../../platform/http/delete-route.ts'
import { defineListRoute } from '../../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../../platform/http/routes.ts'
import { sendMedia } from '../../../platform/http/send-media.ts'
import { requireUser } from '../../../platform/http/session.ts'
import { cancelRun, deletePromptRuns, deleteRun } from './operations/change-run.ts'
import {
  listLatestChainRuns,
  listRunsOfChain,
  listRunsOfPrompt,
  listRunsOfToken,
  readRunOfPrompt,
} from './operations/list-runs.ts'
import { readRun, readRunFile, readRunState, readRunStep } from './operations/read-run.ts'
import type { RunHistoryDeps } from './run-history-deps.ts'

/** Runs of prompts and chains alike: one space of ids (D31). */
export function runHistoryRoutes(deps: RunHistoryDeps): Routes {
  return (app) => {
    runRoutes(app, deps)
    chainRunRoutes(app, deps)
    promptRunRoutes(app, deps)
  }
}

function runRoutes(app: HttpApp, deps: RunHistoryDeps): void {
  app.get(
    '/api/executions/:id',
    {
      schema: {
        tags: ['executions'],
        summary: 'A run with its steps',
        params: idParams,
        response: { 200: seenRun },
      },
    },
    async (request) => readRun(deps, { id: request.params.id, user: await requireUser(request) }),
  )

  app.get(
    '/api/executions/:id/steps/:position',
    {
      schema: {
        tags: ['executions'],
        summary: 'One step of a run with its whole texts',
        params: runStepParams,
        response: { 200: runStep },
      },
    },
    async (request) => readRunStep(deps, { ...request.params, user: await requireUser(request) }),
  )

  app.get(
    '/api/executions/:id/files/:fileId',
    {
      schema: {
        tags: ['executions'],
        summary: 'The bytes of an image or a PDF that a step was sent',
        params: runFileParams,
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return sendMedia(reply, await readRunFile(deps, { ...request.params, user }))
    },
  )

  app.get(
    '/api/executions/:id/status',
    {
      schema: {
        tags: ['executions'],
        summary: 'The state of a run, without texts',
        params: idParams,
        response: { 200: seenRunState },
      },
    },
    async (request) => readRunState(deps, { id: request.params.id, user: await requireUser(request) }),
  )

  app.post(
    '/api/executions/:id/cancel',
    {
      schema: {
        tags: ['executions'],
        summary: 'Stop a run; one that has ended stays as it is',
        description:
          'Of another person’s run that may use private values the answer is always 202: it does not tell whether the run went on.',
        params: idParams,
        response: { 200: seenRunState, 202: seenRunState },
      },
    },
    async (request, reply) => {
      const state = await cancelRun(deps, { id: request.params.id, user: await requireUser(request) })
      return reply.code(state.sight === 'presence' ? 202 : 200).send(state)
    },
  )

  defineDeleteRoute(app, '/api/executions/:id', {
    tags: ['executions'],
    summary: 'Delete a run; one under way is stopped first',
    params: idParams,
    remove: async (call) => deleteRun(deps, { id: call.params.id, user: await requireUser(call) }),
  })
}

function chainRunRoutes(app: HttpApp, deps: RunHistoryDeps): void {
  defineListRoute(app, '/api/chains/:id/executions', {
    tags: ['executions'],
    summary: 'History of a chain, newest first',
    params: idParams,
    querystring: chainHistoryQuery,
    item: seenChainRun,
    read: async (call) => {
      const user = await requireUser(call)
      return listRunsOfChain(deps, { chainId: call.params.id, user, query: call.query })
    },
  })

  app.get(
    '/api/latest-chain-runs',
    {
      schema: {
        tags: ['executions'],
        summary: 'The newest run of each chain',
        description: 'Of the chains that the caller sees, as far as they see one of its newest runs.',
        response: { 200: z.array(seenLatestRun) },
      },
    },
    async (request) => listLatestChainRuns(deps, await requireUser(request)),
  )

  defineListRoute(app, '/api/tokens/:id/executions', {
    tags: ['executions'],
    summary: 'Your runs through a token, newest first',
    params: idParams,
    querystring: pageQuery,
    item: tokenRun,
    read: async (call) => {
      const user = await requireUser(call)
      return listRunsOfToken(deps, { tokenId: call.params.id, user, query: call.query })
    },
  })
}

function promptRunRoutes(app: HttpApp, deps: RunHistoryDeps): void {
  defineListRoute(app, '/api/prompts/:id/executions', {
    tags: ['executions'],
    summary: 'History of a prompt, newest first',
    params: idParams,
    querystring: promptHistoryQuery,
    item: listedPromptRun,
    read: async (call) => {
      const user = await requireUser(call)
      return listRunsOfPrompt(deps, { promptId: call.params.id, user, query: call.query })
    },
  })

  app.get(
    '/api/prompts/:id/executions/:executionId',
    {
      schema: {
        tags: ['executions'],
        summary: 'One run of a prompt with its whole texts',
        params: promptRunParams,
        response: { 200: promptRun },
      },
    },
    async (request) => {
      const { id: promptId, executionId: id } = request.params
      return readRunOfPrompt(deps, { promptId, id, user: await requireUser(request) })
    },
  )

  defineListRoute(app, '/api/executions', {
    tags: ['executions'],
    summary: 'History of a prompt, newest first',
    querystring: listPromptRunsQuery,
    item: listedPromptRun,
    read: async (call) => {
      const { promptId, ...query } = call.query
      return listRunsOfPrompt(deps, { promptId, user: await requireUser(call), query })
    },
  })

  defineDeleteRoute(app, '/api/prompts/:id/executions', {
    tags: ['executions'],
    summary: 'Clear your own history of a prompt',
    params: idParams,
    remove: async (call) =>
      deletePromptRuns(deps, { promptId: call.params.id, user: await requireUser(call) }),
  })
}
