import { chainTestSuitesApi, promptTestSuitesApi, testSuitesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import type { SuiteImportsService } from './suite-imports.service.ts'
import { testCasesRoutes } from './test-cases.routes.ts'
import type { TestCasesService } from './test-cases.service.ts'
import type { TestSuitesService } from './test-suites.service.ts'

export interface TestSuitesEdge {
  suites: TestSuitesService
  cases: TestCasesService
  imports: SuiteImportsService
}

const FILE = { name: 'promptfooconfig.yaml', type: 'application/yaml; charset=utf-8' }

export function testSuitesRoutes({ suites, cases, imports }: TestSuitesEdge): Routes[] {
  return [
    handlers(promptTestSuitesApi, {
      'GET /api/prompts/{id}/test-suites': (_, { params, user }) =>
        suites.list({ kind: 'prompt', ...params, user }),
      'POST /api/prompts/{id}/test-suites': (_, { params, body, user }) =>
        suites.create({ kind: 'prompt', ...params, user, ...body }),
      'POST /api/prompts/{id}/test-suites/import': (_, { params, body: request, user, signal }) =>
        imports.import({ kind: 'prompt', ...params, user, request, signal }),
    }),
    handlers(chainTestSuitesApi, {
      'GET /api/chains/{id}/test-suites': (_, { params, user }) =>
        suites.list({ kind: 'chain', ...params, user }),
      'POST /api/chains/{id}/test-suites': (_, { params, body, user }) =>
        suites.create({ kind: 'chain', ...params, user, ...body }),
      'POST /api/chains/{id}/test-suites/import': (_, { params, body: request, user, signal }) =>
        imports.import({ kind: 'chain', ...params, user, request, signal }),
    }),
    handlers(testSuitesApi, {
      'GET /api/test-suites/{id}': (_, { params, user }) => suites.find({ ...params, user }),
      'PATCH /api/test-suites/{id}': (_, { params, body: { revision, ...fields }, user }) =>
        suites.update({ ...params, user, revision, fields }),
      'DELETE /api/test-suites/{id}': (_, { params, user }) => suites.delete({ ...params, user }),
      'GET /api/test-suites/{id}/export': async (_, { params, user, signal, reply }) => {
        const yaml = await suites.export({ ...params, user, signal })
        return asFile(reply, FILE).serializer(String).send(yaml)
      },
      'POST /api/test-suites/grade': (_, { body, user, signal }) => suites.grade({ ...body, user, signal }),
    }),
    testCasesRoutes(cases),
  ]
}
