import {
  chainTestSuitesApi,
  promptTestSuitesApi,
  testCase,
  testCasesApi,
  testSuitesApi,
} from '@catenary/contracts'
import * as z from 'zod'
import { handlers } from '../../platform/http/endpoints.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import { createSuite, deleteSuite, importSuite, saveSuite } from './change-suites.ts'
import { exportSuite, gradeByHand, listSuites } from './read-suites.ts'
import { findSuite } from './suite-access.ts'
import {
  addCase,
  deleteCase,
  duplicateCase,
  findCase,
  listCases,
  reorderCases,
  saveCase,
} from './test-cases.ts'

export { createFilledSuite, refillSuite } from './change-suites.ts'
export {
  type CaseToRun,
  findOptionalSuiteToRun,
  listSuitesToRun,
  openSuiteToRun,
  type SuiteToRun,
} from './read-suites.ts'
export { deleteSuiteRow } from './test-suites.sql.ts'

const FILE = { name: 'promptfooconfig.yaml', type: 'application/yaml; charset=utf-8' }

const servePromptSuites = handlers(promptTestSuitesApi, {
  'GET /api/prompts/{id}/test-suites': (ctx, { params, user }) =>
    listSuites(ctx, { kind: 'prompt', ...params, user }),
  'POST /api/prompts/{id}/test-suites': (ctx, { params, body, user }) =>
    createSuite(ctx, { kind: 'prompt', ...params, user, ...body }),
  'POST /api/prompts/{id}/test-suites/import': (ctx, { params, body: request, user, signal }) =>
    importSuite(ctx, { kind: 'prompt', ...params, user, request, signal }),
})

const serveChainSuites = handlers(chainTestSuitesApi, {
  'GET /api/chains/{id}/test-suites': (ctx, { params, user }) =>
    listSuites(ctx, { kind: 'chain', ...params, user }),
  'POST /api/chains/{id}/test-suites': (ctx, { params, body, user }) =>
    createSuite(ctx, { kind: 'chain', ...params, user, ...body }),
  'POST /api/chains/{id}/test-suites/import': (ctx, { params, body: request, user, signal }) =>
    importSuite(ctx, { kind: 'chain', ...params, user, request, signal }),
})

const serveSuites = handlers(testSuitesApi, {
  'GET /api/test-suites/{id}': (ctx, { params, user }) => findSuite(ctx, { ...params, user }),
  'PATCH /api/test-suites/{id}': (ctx, { params, body: { revision, ...fields }, user }) =>
    saveSuite(ctx, { ...params, user, revision, fields }),
  'DELETE /api/test-suites/{id}': (ctx, { params, user }) => deleteSuite(ctx, { ...params, user }),
  'GET /api/test-suites/{id}/export': async (ctx, { params, user, signal, reply }) => {
    const yaml = await exportSuite(ctx, { ...params, user, signal })
    return asFile(reply, FILE).serializer(String).send(yaml)
  },
  'POST /api/test-suites/grade': (ctx, { body, user, signal }) => gradeByHand(ctx, { ...body, user, signal }),
})

const asStored = z.array(z.unknown())
const writtenAs = testCase.extend({ assertions: asStored, notRun: asStored })

const serveCases = handlers(
  testCasesApi,
  {
    'GET /api/test-suites/{id}/cases': (ctx, { params, query, user }) =>
      listCases(ctx, { ...params, user, query }),
    'GET /api/test-suites/{id}/cases/{caseId}': (ctx, { params, user }) => findCase(ctx, { ...params, user }),
    'POST /api/test-suites/{id}/cases': (ctx, { params, body: { revision, ...fields }, user }) =>
      addCase(ctx, { ...params, user, revision, fields }),
    'PATCH /api/test-suites/{id}/cases/{caseId}': (ctx, { params, body: { revision, ...fields }, user }) =>
      saveCase(ctx, { ...params, user, revision, fields }),
    'DELETE /api/test-suites/{id}/cases/{caseId}': (ctx, { params, user }) =>
      deleteCase(ctx, { ...params, user }),
    'POST /api/test-suites/{id}/cases/{caseId}/duplicate': (ctx, { params, user }) =>
      duplicateCase(ctx, { ...params, user }),
    'POST /api/test-suites/{id}/reorder-cases': (ctx, { params, body, user }) =>
      reorderCases(ctx, { ...params, user, ...body }),
  },
  { 'GET /api/test-suites/{id}/cases': { writtenAs } },
)

export const serveTestSuites = [servePromptSuites, serveChainSuites, serveSuites, serveCases]
