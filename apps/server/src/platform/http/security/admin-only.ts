import type { FastifyRequest } from 'fastify'
import { requireAdmin } from '../session.ts'

/** Runs before validation, so that other people learn nothing about the request's form. */
export const adminOnly = {
  preValidation: async (request: FastifyRequest) => {
    await requireAdmin(request)
  },
}
