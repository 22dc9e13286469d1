import type { FastifyRequest } from 'fastify'
import { requireAdmin } from './session.ts'

/** Before validation, so that nobody else learns what a call takes. */
export const adminOnly = {
  preValidation: async (request: FastifyRequest) => {
    await requireAdmin(request)
  },
}
