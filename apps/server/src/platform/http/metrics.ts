import { metricsApi } from '@catenary/contracts'
import type { Metrics } from '../metrics/metrics.ts'
import { handlers } from './endpoints.ts'
import type { Routes } from './routes.ts'

export function metricsRoutes({ metrics }: { metrics: Metrics }): Routes {
  const serve = handlers(metricsApi, {
    'GET /metrics': async (_, { reply }) => reply.type(metrics.contentType).send(await metrics.render()),
  })
  return (app, edge) => {
    app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
      // The pattern, not the path: there is no end of paths.
      const labels = { method, route: routeOptions.url ?? 'none', status: String(statusCode) }
      metrics.requestAnswered(labels, elapsedTime / 1000)
    })
    serve(app, edge)
  }
}
