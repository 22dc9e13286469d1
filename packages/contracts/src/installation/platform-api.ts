import * as z from 'zod'
import { defineApi } from '../endpoint.ts'
import { health } from './models.ts'

/** Without a session, as they answer even where the database does not. */
const OPEN = { who: 'guest', hidden: true } as const

export const healthApi = defineApi('health', {
  'GET /healthz': { ...OPEN, summary: 'The process lives', sends: { 200: health } },
  'GET /readyz': {
    ...OPEN,
    summary: 'It can do its work',
    sends: { 200: z.object({ status: z.literal('ready') }) },
  },
  'GET /api/stream-check': { ...OPEN, summary: 'Two events, and how the call itself arrived', sends: {} },
})

export const metricsApi = defineApi('health', {
  'GET /metrics': { ...OPEN, summary: 'All metrics, as Prometheus reads them', sends: {} },
})

export const docsApi = defineApi('docs', {
  'GET /api/openapi.json': { ...OPEN, summary: 'The OpenAPI document', sends: {} },
  'GET /api/docs': { ...OPEN, summary: 'Its sections, as a page', sends: {} },
  'GET /api/docs/{section}': {
    ...OPEN,
    summary: 'A section, as a page',
    params: z.object({ section: z.string() }),
    sends: {},
  },
})
