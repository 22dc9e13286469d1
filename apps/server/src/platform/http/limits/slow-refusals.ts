import type { FastifyInstance } from 'fastify'

const REFUSAL_MS = 250

/** Too many calls are refused after a moment, so that asking again without a rest costs the program little. */
export function refuseSlowly(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, { statusCode }) => {
    if (statusCode === 429) await new Promise((resolve) => setTimeout(resolve, REFUSAL_MS))
  })
}
