import * as z from 'zod'
import { caseGrade } from './assertions.ts'
import { idParam, idParams } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'
import {
  createTestCaseRequest,
  createTestSuiteRequest,
  gradeRequest,
  importReport,
  importTestSuiteRequest,
  listedTestSuite,
  reorderCasesRequest,
  testCase,
  testSuite,
  updateTestCaseRequest,
  updateTestSuiteRequest,
} from './test-suites.ts'

const testCaseParams = z.strictObject({
  id: idParam.describe('Id of the suite.'),
  caseId: idParam.describe('Id of a case of the suite.'),
})

const STALE = '409 with the current suite as details when the revision is stale.'

const suiteList = {
  who: 'user',
  params: idParams,
  reply: z.array(listedTestSuite),
  errors: [401, 404],
} as const
const createdSuite = {
  who: 'user',
  params: idParams,
  body: createTestSuiteRequest,
  created: testSuite,
  errors: [409],
} as const
const importedSuite = {
  who: 'user',
  description:
    'A promptfoo configuration, or a CSV with a column per value and promptfoo’s `__expected` columns. With `dryRun`, ' +
    'nothing is created; the reply says what the import would do, with a line for each thing that is kept and ' +
    'exported again, but not run.',
  params: idParams,
  body: importTestSuiteRequest,
  reply: importReport,
  errors: [409],
} as const

export const promptTestSuitesApi = defineApi('test suites', {
  'GET /api/prompts/{id}/test-suites': {
    ...suiteList,
    summary: 'The test suites of a prompt, by name',
    description: 'For signed-in people who see the prompt.',
  },
  'POST /api/prompts/{id}/test-suites': {
    ...createdSuite,
    summary: 'Create a test suite for a prompt',
    description: 'For people who may change the prompt.',
    activity: { kind: 'suite.created', object: 'suite' },
  },
  'POST /api/prompts/{id}/test-suites/import': {
    ...importedSuite,
    summary: 'Import a test suite for a prompt from a file',
    activity: { kind: 'suite.imported', object: 'suite' },
  },
})

export const chainTestSuitesApi = defineApi('test suites', {
  'GET /api/chains/{id}/test-suites': {
    ...suiteList,
    summary: 'The test suites of a chain, by name',
    description: 'For signed-in people who see the chain.',
  },
  'POST /api/chains/{id}/test-suites': {
    ...createdSuite,
    summary: 'Create a test suite for a chain',
    description: 'For people who may change the chain.',
    activity: { kind: 'suite.created', object: 'suite' },
  },
  'POST /api/chains/{id}/test-suites/import': {
    ...importedSuite,
    summary: 'Import a test suite for a chain from a file',
    activity: { kind: 'suite.imported', object: 'suite' },
  },
})

export const testSuitesApi = defineApi('test suites', {
  'GET /api/test-suites/{id}': {
    who: 'user',
    summary: 'A test suite without its cases',
    params: idParams,
    reply: testSuite,
    errors: [401, 404],
  },
  'PATCH /api/test-suites/{id}': {
    who: 'user',
    summary: 'Save the defaults of a suite’s tests',
    description: STALE,
    params: idParams,
    body: updateTestSuiteRequest,
    reply: testSuite,
    errors: [409],
    activity: { kind: 'suite.changed', object: 'suite' },
  },
  'DELETE /api/test-suites/{id}': {
    who: 'user',
    summary: 'Delete a test suite',
    params: idParams,
    activity: { kind: 'suite.deleted', object: 'suite' },
  },
  'GET /api/test-suites/{id}/export': {
    who: 'user',
    summary: 'A test suite as promptfoo’s YAML',
    description: 'Includes anything from an imported file that doesn’t run here.',
    params: idParams,
    sends: { 200: z.string().describe('A promptfoo configuration.') },
    errors: [401, 404],
    crossSiteCheck: true,
    limits: ['streams'],
    activity: { kind: 'suite.exported', object: 'suite' },
  },
  'POST /api/test-suites/grade': {
    who: 'user',
    summary: 'Grade an existing answer',
    description: 'Nothing is saved. Model-graded assertions are skipped; evaluations grade them.',
    body: gradeRequest,
    reply: caseGrade,
    errors: [401],
    activity: { none: 'It grades an answer and keeps nothing.' },
  },
})

export const testCasesApi = defineApi('test suites', {
  'GET /api/test-suites/{id}/cases': {
    who: 'user',
    summary: 'The cases of a suite, in order',
    description: 'At most 100 per page, each in full.',
    params: idParams,
    query: listQuery,
    list: testCase,
    errors: [401, 404],
  },
  'GET /api/test-suites/{id}/cases/{caseId}': {
    who: 'user',
    summary: 'One case',
    params: testCaseParams,
    reply: testCase,
    errors: [401, 404],
  },
  'POST /api/test-suites/{id}/cases': {
    who: 'user',
    summary: 'Add a case at the end of a suite',
    description: STALE,
    params: idParams,
    body: createTestCaseRequest,
    created: testCase,
    errors: [409],
    activity: { kind: 'suite.case_added', object: 'suite' },
  },
  'PATCH /api/test-suites/{id}/cases/{caseId}': {
    who: 'user',
    summary: 'Save a case',
    description: '409 with the current case as details when the revision is stale.',
    params: testCaseParams,
    body: updateTestCaseRequest,
    reply: testCase,
    errors: [409],
    activity: { kind: 'suite.case_changed', object: 'suite' },
  },
  'DELETE /api/test-suites/{id}/cases/{caseId}': {
    who: 'user',
    summary: 'Delete a case',
    params: testCaseParams,
    activity: { kind: 'suite.case_deleted', object: 'suite' },
  },
  'POST /api/test-suites/{id}/cases/{caseId}/duplicate': {
    who: 'user',
    summary: 'Duplicate a case to the end of its suite',
    params: testCaseParams,
    created: testCase,
    errors: [409],
    activity: { kind: 'suite.case_duplicated', object: 'suite' },
  },
  'POST /api/test-suites/{id}/reorder-cases': {
    who: 'user',
    summary: 'Put the cases in a new order',
    description: `The ids of all cases, each once. ${STALE}`,
    params: idParams,
    body: reorderCasesRequest,
    errors: [409],
    activity: { kind: 'suite.cases_reordered', object: 'suite' },
  },
})
