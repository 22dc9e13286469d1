import {
  type CreateTestCaseRequest,
  caseGrade,
  type GradeRequest,
  type ImportTestSuiteRequest,
  importReport,
  listedTestSuite,
  type RecordKind,
  type TestCase,
  testCase,
  testSuite,
  type UpdateTestSuiteRequest,
} from '@catenary/contracts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod'
import { api, apiPath, apiSend } from '../../lib/api.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

export interface TestedRecord {
  kind: RecordKind
  id: number
}

export const testsRoot = ['tests'] as const
const LIST = {
  prompt: 'GET /api/prompts/{id}/test-suites',
  chain: 'GET /api/chains/{id}/test-suites',
} as const
const CREATE = {
  prompt: 'POST /api/prompts/{id}/test-suites',
  chain: 'POST /api/chains/{id}/test-suites',
} as const
const IMPORT = {
  prompt: 'POST /api/prompts/{id}/test-suites/import',
  chain: 'POST /api/chains/{id}/test-suites/import',
} as const

export function testSuitesQuery({ kind, id }: TestedRecord) {
  return queryOptions({
    queryKey: [...testsRoot, 'of', kind, id],
    queryFn: ({ signal }) => api(LIST[kind], { params: { id }, reply: z.array(listedTestSuite), signal }),
    staleTime: 0,
  })
}

export function testSuiteQuery(id: number) {
  return queryOptions({
    queryKey: [...testsRoot, 'suite', id],
    queryFn: ({ signal }) => api('GET /api/test-suites/{id}', { params: { id }, reply: testSuite, signal }),
    staleTime: 0,
  })
}

export function testCasesQuery(suiteId: number) {
  return queryOptions({
    queryKey: [...testsRoot, 'cases', suiteId],
    queryFn: ({ signal }) =>
      api('GET /api/test-suites/{id}/cases', { params: { id: suiteId }, list: testCase, signal }),
    staleTime: 0,
  })
}

export function useCreateSuite({ kind, id }: TestedRecord) {
  return useRefreshingWrite(testsRoot, (name: string) =>
    api(CREATE[kind], { params: { id }, body: { name }, created: testSuite }),
  )
}

export function useUpdateSuite(id: number) {
  return useRefreshingWrite(testsRoot, (body: UpdateTestSuiteRequest) =>
    api('PATCH /api/test-suites/{id}', { params: { id }, body, reply: testSuite }),
  )
}

export function useDeleteSuite() {
  return useRefreshingWrite(testsRoot, (id: number) =>
    api('DELETE /api/test-suites/{id}', { params: { id } }),
  )
}

export function useSaveCase() {
  return useRefreshingWrite(testsRoot, ({ suiteId, id, body }: SavedCase) =>
    id === null
      ? api('POST /api/test-suites/{id}/cases', { params: { id: suiteId }, body, created: testCase })
      : api('PATCH /api/test-suites/{id}/cases/{caseId}', {
          params: { id: suiteId, caseId: id },
          body,
          reply: testCase,
        }),
  )
}

interface SavedCase {
  suiteId: number
  id: number | null
  body: CreateTestCaseRequest
}

export function useDuplicateCase(suiteId: number) {
  return useRefreshingWrite(testsRoot, ({ id }: TestCase) =>
    apiSend('POST /api/test-suites/{id}/cases/{caseId}/duplicate', { params: { id: suiteId, caseId: id } }),
  )
}

export function useDeleteCase(suiteId: number) {
  return useRefreshingWrite(testsRoot, ({ id }: TestCase) =>
    api('DELETE /api/test-suites/{id}/cases/{caseId}', { params: { id: suiteId, caseId: id } }),
  )
}

export function useReorderCases(suiteId: number) {
  return useRefreshingWrite(testsRoot, (caseIds: number[]) =>
    api('POST /api/test-suites/{id}/reorder-cases', { params: { id: suiteId }, body: { caseIds } }),
  )
}

export function useImportSuite({ kind, id }: TestedRecord) {
  return useRefreshingWrite(testsRoot, (body: ImportTestSuiteRequest) =>
    api(IMPORT[kind], { params: { id }, body, reply: importReport }),
  )
}

export const exportAddress = (id: number) => apiPath('GET /api/test-suites/{id}/export', { params: { id } })

export function useGrade() {
  return useMutation({
    mutationFn: (body: GradeRequest) => api('POST /api/test-suites/grade', { body, reply: caseGrade }),
    meta: { failure: false },
  })
}
