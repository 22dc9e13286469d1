import { variablesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import {
  fetchVariable,
  previewVariable,
  readContent,
  readVariableFile,
  tryAddress,
} from './operations/show-value.ts'
import type { VariableValues } from './variable-values-deps.ts'
import type { VariablesService } from './variables.service.ts'

interface VariablesEdge {
  variables: VariablesService
  values: VariableValues
}

export const variablesRoutes = ({ variables, values }: VariablesEdge): Routes =>
  handlers(variablesApi, {
    'GET /api/variables': (_, { query, user: viewer }) => variables.list({ viewer, query }),
    'GET /api/variables/by-tags': (_, { query, user: viewer }) => variables.list({ viewer, query }),
    'GET /api/variables/{id}': (_, { params, user }) => variables.find({ ...params, user }),
    'GET /api/variables/{id}/preview': (_, { params, user, signal }) =>
      previewVariable(values, { ...params, user, signal }),
    'GET /api/variables/{idOrName}/content': (_, { params, user, signal }) =>
      readContent(values, { ...params, user, signal }),
    'GET /api/variables/{id}/file': (_, { params, user }) => readVariableFile(values, { ...params, user }),
    'GET /api/proxy': (_, { query, user, signal }) => fetchVariable(values, { ...query, user, signal }),
    'POST /api/proxy': (_, { body, user, signal }) => tryAddress(values, { ...body, user, signal }),
    'GET /api/variables/usage': (_, { query, user }) => variables.countUsage({ user, query }),
    'GET /api/variables/{id}/usage': (_, { params, user }) => variables.findUsage({ ...params, user }),
    'POST /api/variables': (_, { body: { revision: _r, renameReferences: _n, ...fields }, user }) =>
      variables.create({ fields, user }),
    'PATCH /api/variables/{id}': (_, { params, body: { revision, renameReferences, ...fields }, user }) =>
      variables.save({ ...params, user, revision, renameReferences, fields }),
    'DELETE /api/variables/{id}': (_, { params, user }) => variables.delete({ ...params, user }),
  })
