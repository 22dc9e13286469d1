import {
  createTestCaseRequest,
  idParams,
  listQuery,
  noContent,
  reorderCasesRequest,
  testCase,
  testCaseParams,
  updateTestCaseRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { HttpApp } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { TestCasesService } from './test-cases.service.ts'

const tags = ['test suites']
const STALE = '409 with the current suite as details when the revision is stale.'
/** Assertions of all kinds are one list: they are written as they are stored. */
const asStored = z.array(z.unknown())
const caseList = defineListReply(testCase.extend({ assertions: asStored, notRun: asStored }))

export function testCasesRoutes(app: HttpApp, cases: TestCasesService): void {
  readRoutes(app, cases)
  writeRoutes(app, cases)
}

function readRoutes(app: HttpApp, cases: TestCasesService): void {
  app.get(
    '/api/test-suites/:id/cases',
    {
      schema: {
        tags,
        summary: 'The cases of a suite, in their order',
        description: 'At most 100 a page, each whole.',
        params: idParams,
        querystring: listQuery,
        response: { 200: z.array(testCase), ...errorReplies(401, 404) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      return caseList.send(reply, await cases.list({ ...params, user: await requireUser(request), query }))
    },
  )

  app.get(
    '/api/test-suites/:id/cases/:caseId',
    {
      schema: {
        tags,
        summary: 'One case',
        params: testCaseParams,
        response: { 200: testCase, ...errorReplies(401, 404) },
      },
    },
    async (request) => cases.find({ ...request.params, user: await requireUser(request) }),
  )
}

function writeRoutes(app: HttpApp, cases: TestCasesService): void {
  app.post(
    '/api/test-suites/:id/cases',
    {
      schema: {
        tags,
        summary: 'Add a case at the end of a suite',
        description: STALE,
        params: idParams,
        body: createTestCaseRequest,
        response: { 201: testCase, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const { revision, ...fields } = request.body
      return reply.code(201).send(await cases.add({ id: request.params.id, user, revision, fields }))
    },
  )

  app.patch(
    '/api/test-suites/:id/cases/:caseId',
    {
      schema: {
        tags,
        summary: 'Save a case',
        description: '409 with the current case as details when the revision is stale.',
        params: testCaseParams,
        body: updateTestCaseRequest,
        response: { 200: testCase, ...errorReplies(409) },
      },
    },
    async (request) => {
      const { revision, ...fields } = request.body
      return cases.update({ ...request.params, user: await requireUser(request), revision, fields })
    },
  )

  defineDeleteRoute(app, '/api/test-suites/:id/cases/:caseId', {
    tags,
    summary: 'Delete a case',
    params: testCaseParams,
    remove: async (call) => cases.delete({ ...call.params, user: await requireUser(call) }),
  })

  app.post(
    '/api/test-suites/:id/cases/:caseId/duplicate',
    {
      schema: {
        tags,
        summary: 'Copy a case to the end of its suite',
        params: testCaseParams,
        response: { 201: testCase, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return reply.code(201).send(await cases.duplicate({ ...request.params, user }))
    },
  )

  app.post(
    '/api/test-suites/:id/reorder-cases',
    {
      schema: {
        tags,
        summary: 'Put the cases in a new order',
        description: `The ids of all cases, each once. ${STALE}`,
        params: idParams,
        body: reorderCasesRequest,
        response: { 204: noContent, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      await cases.reorder({ ...request.params, user, ...request.body })
      return reply.code(204).send()
    },
  )
}
