import { instance as instanceReply } from '@catenary/contracts'
import type { Routes } from '../../platform/http/routes.ts'
import { optionalUser } from '../../platform/http/session.ts'
import type { InstanceService } from './instance.service.ts'

export function instanceRoutes({ instance }: { instance: InstanceService }): Routes {
  return (app) => {
    app.get(
      '/api/instance',
      {
        schema: {
          tags: ['instance'],
          summary: 'What this installation is: version, models, registration',
          response: { 200: instanceReply },
        },
      },
      async (request) => instance.describe(await optionalUser(request)),
    )
  }
}
