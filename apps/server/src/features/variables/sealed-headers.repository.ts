import { variables } from '../../db/schema/index.ts'
import { sealedColumn } from '../../db/sql/sealed-columns.ts'
import { contextOf } from './variable-headers.ts'

export const sealedHeaders = sealedColumn({
  what: 'header values of variables',
  id: variables.id,
  column: variables.apiHeaders,
  beside: { apiUrl: variables.apiUrl },
  contextOf: ({ id, apiUrl }, name) => contextOf({ variableId: id, apiUrl }, name),
})
