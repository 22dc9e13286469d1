import {
  caseGrade,
  createTestSuiteRequest,
  gradeRequest,
  idParams,
  importReport,
  importTestSuiteRequest,
  listedTestSuite,
  SHARED_KINDS,
  type SharedKind,
  testSuite,
  updateTestSuiteRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { callerSignal } from '../../platform/http/caller-signal.ts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { HttpApp, PersonLimits, Routes } from '../../platform/http/routes.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { SuiteImportsService } from './suite-imports.service.ts'
import { testCasesRoutes } from './test-cases.routes.ts'
import type { TestCasesService } from './test-cases.service.ts'
import type { TestSuitesService } from './test-suites.service.ts'

const tags = ['test suites']
const STALE = '409 with the current suite as details when the revision is stale.'

export interface TestSuitesEdge {
  suites: TestSuitesService
  cases: TestCasesService
  imports: SuiteImportsService
}

export function testSuitesRoutes({ suites, cases, imports }: TestSuitesEdge): Routes {
  return (app, { limitStreams }) => {
    for (const kind of SHARED_KINDS) recordRoutes(app, { kind, suites, imports })
    suiteRoutes(app, { suites, limitStreams })
    testCasesRoutes(app, cases)
  }
}

function recordRoutes(
  app: HttpApp,
  { kind, suites, imports }: { kind: SharedKind } & Pick<TestSuitesEdge, 'suites' | 'imports'>,
): void {
  const path = `/api/${kind}s/:id/test-suites` as const
  app.get(
    path,
    {
      schema: {
        tags,
        summary: `The test suites of a ${kind}, by name`,
        description: `For signed-in people who see the ${kind}.`,
        params: idParams,
        response: { 200: z.array(listedTestSuite), ...errorReplies(401, 404) },
      },
    },
    async (request) => suites.list({ kind, id: request.params.id, user: await requireUser(request) }),
  )

  app.post(
    path,
    {
      schema: {
        tags,
        summary: `Make a test suite of a ${kind}`,
        description: `For people who may change the ${kind}.`,
        params: idParams,
        body: createTestSuiteRequest,
        response: { 201: testSuite, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const { name } = request.body
      return reply.code(201).send(await suites.create({ kind, id: request.params.id, user, name }))
    },
  )

  app.post(
    `${path}/import`,
    {
      schema: {
        tags,
        summary: `Make a test suite of a ${kind} from a file`,
        description:
          'promptfoo’s configuration, or a CSV with a column a value and promptfoo’s `__expected` columns. With `dryRun` ' +
          'nothing is made: the reply says what would come of the file, with a line for each thing that is kept and ' +
          'exported again, but not run.',
        params: idParams,
        body: importTestSuiteRequest,
        response: { 200: importReport, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const signal = callerSignal(reply)
      return imports.import({ kind, id: request.params.id, user, request: request.body, signal })
    },
  )
}

function suiteRoutes(
  app: HttpApp,
  { suites, limitStreams }: Pick<TestSuitesEdge, 'suites'> & Pick<PersonLimits, 'limitStreams'>,
): void {
  const path = '/api/test-suites/:id'
  app.get(
    path,
    {
      schema: {
        tags,
        summary: 'A test suite without its cases',
        params: idParams,
        response: { 200: testSuite, ...errorReplies(401, 404) },
      },
    },
    async (request) => suites.find({ id: request.params.id, user: await requireUser(request) }),
  )

  app.patch(
    path,
    {
      schema: {
        tags,
        summary: 'Save what a suite has for each of its cases',
        description: STALE,
        params: idParams,
        body: updateTestSuiteRequest,
        response: { 200: testSuite, ...errorReplies(409) },
      },
    },
    async (request) => {
      const { revision, ...fields } = request.body
      return suites.update({ id: request.params.id, user: await requireUser(request), revision, fields })
    },
  )

  defineDeleteRoute(app, path, {
    tags,
    summary: 'Delete a test suite',
    params: idParams,
    remove: async (call) => suites.delete({ id: call.params.id, user: await requireUser(call) }),
  })

  app.get(
    `${path}/export`,
    {
      config: { crossSiteCheck: true },
      onRequest: limitStreams,
      schema: {
        tags,
        summary: 'A test suite as promptfoo’s YAML',
        description: 'With what an imported file had that does not run here.',
        params: idParams,
        response: { 200: z.string().describe('A configuration of promptfoo.'), ...errorReplies(401, 404) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const yaml = await suites.export({ id: request.params.id, user, signal: callerSignal(reply) })
      const file = { name: 'promptfooconfig.yaml', type: 'application/yaml; charset=utf-8' }
      return asFile(reply, file).serializer(String).send(yaml)
    },
  )

  app.post(
    '/api/test-suites/grade',
    {
      schema: {
        tags,
        summary: 'Grade an answer that is there already',
        description: 'Nothing is kept. What a model would judge is left out: it is judged in an evaluation.',
        body: gradeRequest,
        response: { 200: caseGrade, ...errorReplies(401) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return suites.grade({ ...request.body, user, signal: callerSignal(reply) })
    },
  )
}
