import { examplesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { findExamples, makeExamples, removeExamples } from './make-examples.ts'

export const serveExamples = handlers(examplesApi, {
  'GET /api/examples': findExamples,
  'POST /api/examples': makeExamples,
  'DELETE /api/examples': removeExamples,
})
