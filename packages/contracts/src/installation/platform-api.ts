import * as z from 'zod'
import { defineApi } from '../endpoint.ts'
import { health } from './models.ts'

/** Without a session, as they answer even where the database does not. */
const OPEN = { who: 'guest', hidden: true } as const

export const healthApi = defineApi('health', {
  'GET /healthz': { ...OPEN, summary: 'Liveness: the process runs', sends: { 200: health } },
  'GET /readyz': {
    ...OPEN,
    summary: 'Readiness: the process can do its work',
    sends: { 200: z.object({ status: z.literal('ready') }) },
  },
  'GET /api/stream-check': {
    ...OPEN,
    summary: 'Send two test events, and report how the call arrived',
    sends: {},
  },
})

export const metricsApi = defineApi('health', {
  'GET /metrics': { ...OPEN, summary: 'All metrics, in Prometheus format', sends: {} },
})

export const docsApi = defineApi('docs', {
  'GET /api/openapi.json': { ...OPEN, summary: 'The OpenAPI document', sends: {} },
  'GET /api/docs': { ...OPEN, summary: 'API documentation: list of sections', sends: {} },
  'GET /api/docs/{section}': {
    ...OPEN,
    summary: 'API documentation: one section',
    params: z.object({ section: z.string() }),
    sends: {},
  },
})
