import {
  type CreateTestCaseRequest,
  caseGrade,
  type GradeRequest,
  type ImportTestSuiteRequest,
  importReport,
  listedTestSuite,
  type SharedKind,
  type TestCase,
  testCase,
  testSuite,
  type UpdateTestCaseRequest,
  type UpdateTestSuiteRequest,
} from '@catenary/contracts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod'
import { read, readAll, write } from '../../lib/api-client.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

/** What is tested. */
export interface TestedRecord {
  kind: SharedKind
  id: number
}

export const testsRoot = ['tests'] as const
const pathOf = ({ kind, id }: TestedRecord) => `/api/${kind}s/${id}/test-suites`

/** The test suites of a prompt or chain, by name. */
export function testSuitesQuery(record: TestedRecord) {
  return queryOptions({
    queryKey: [...testsRoot, 'of', record.kind, record.id],
    queryFn: ({ signal }) => read({ path: pathOf(record), schema: z.array(listedTestSuite), signal }),
    staleTime: 0,
  })
}

/** A suite with what it has for each of its cases. */
export function testSuiteQuery(id: number) {
  return queryOptions({
    queryKey: [...testsRoot, 'suite', id],
    queryFn: ({ signal }) => read({ path: `/api/test-suites/${id}`, schema: testSuite, signal }),
    staleTime: 0,
  })
}

/** The cases of a suite, in their order. */
export function testCasesQuery(suiteId: number) {
  return queryOptions({
    queryKey: [...testsRoot, 'cases', suiteId],
    queryFn: ({ signal }) => readAll({ path: `/api/test-suites/${suiteId}/cases`, schema: testCase, signal }),
    staleTime: 0,
  })
}

export function useCreateSuite(record: TestedRecord) {
  return useRefreshingWrite(testsRoot, (name: string) =>
    write({ method: 'POST', path: pathOf(record), body: { name }, schema: testSuite }),
  )
}

export function useUpdateSuite(id: number) {
  return useRefreshingWrite(testsRoot, (body: UpdateTestSuiteRequest) =>
    write({ method: 'PATCH', path: `/api/test-suites/${id}`, body, schema: testSuite }),
  )
}

export function useDeleteSuite() {
  return useRefreshingWrite(testsRoot, (id: number) =>
    write({ method: 'DELETE', path: `/api/test-suites/${id}` }),
  )
}

/** Adds a case, or saves one. The caller tells the person about a failure. */
export function useSaveCase() {
  return useRefreshingWrite(testsRoot, ({ suiteId, id, body }: SavedCase) =>
    id === null
      ? write({ method: 'POST', path: `/api/test-suites/${suiteId}/cases`, body, schema: testCase })
      : write({ method: 'PATCH', path: `/api/test-suites/${suiteId}/cases/${id}`, body, schema: testCase }),
  )
}

interface SavedCase {
  suiteId: number
  id: number | null
  body: CreateTestCaseRequest | UpdateTestCaseRequest
}

export function useDuplicateCase(suiteId: number) {
  return useRefreshingWrite(testsRoot, ({ id }: TestCase) =>
    write({ method: 'POST', path: `/api/test-suites/${suiteId}/cases/${id}/duplicate` }),
  )
}

export function useDeleteCase(suiteId: number) {
  return useRefreshingWrite(testsRoot, ({ id }: TestCase) =>
    write({ method: 'DELETE', path: `/api/test-suites/${suiteId}/cases/${id}` }),
  )
}

export function useReorderCases(suiteId: number) {
  return useRefreshingWrite(testsRoot, (caseIds: number[]) =>
    write({ method: 'POST', path: `/api/test-suites/${suiteId}/reorder-cases`, body: { caseIds } }),
  )
}

/** Says what would come of a file, or makes the suite. */
export function useImportSuite(record: TestedRecord) {
  return useRefreshingWrite(testsRoot, (body: ImportTestSuiteRequest) =>
    write({ method: 'POST', path: `${pathOf(record)}/import`, body, schema: importReport }),
  )
}

/** Where a suite is downloaded as promptfoo's file. */
export const exportAddress = (id: number) => `/api/test-suites/${id}/export`

/** Grades an answer by assertions that need not be stored. */
export function useGrade() {
  return useMutation({
    mutationFn: (body: GradeRequest) =>
      write({ method: 'POST', path: '/api/test-suites/grade', body, schema: caseGrade }),
    meta: { failure: false },
  })
}
