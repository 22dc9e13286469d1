import { testCase, testCasesApi } from '@catenary/contracts'
import * as z from 'zod'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { TestCasesService } from './test-cases.service.ts'

/** Assertions of all kinds are one list: they are written as they are stored. */
const asStored = z.array(z.unknown())
const writtenAs = testCase.extend({ assertions: asStored, notRun: asStored })

export const testCasesRoutes = (cases: TestCasesService): Routes =>
  handlers(
    testCasesApi,
    {
      'GET /api/test-suites/{id}/cases': (_, { params, query, user }) =>
        cases.list({ ...params, user, query }),
      'GET /api/test-suites/{id}/cases/{caseId}': (_, { params, user }) => cases.find({ ...params, user }),
      'POST /api/test-suites/{id}/cases': (_, { params, body: { revision, ...fields }, user }) =>
        cases.add({ ...params, user, revision, fields }),
      'PATCH /api/test-suites/{id}/cases/{caseId}': (_, { params, body: { revision, ...fields }, user }) =>
        cases.update({ ...params, user, revision, fields }),
      'DELETE /api/test-suites/{id}/cases/{caseId}': (_, { params, user }) =>
        cases.delete({ ...params, user }),
      'POST /api/test-suites/{id}/cases/{caseId}/duplicate': (_, { params, user }) =>
        cases.duplicate({ ...params, user }),
      'POST /api/test-suites/{id}/reorder-cases': (_, { params, body, user }) =>
        cases.reorder({ ...params, user, ...body }),
    },
    { 'GET /api/test-suites/{id}/cases': { writtenAs } },
  )
