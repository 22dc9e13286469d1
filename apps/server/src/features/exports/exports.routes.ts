import { exportsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import type { ExportsService } from './exports.service.ts'

export const exportsRoutes = ({ exports }: { exports: ExportsService }): Routes =>
  handlers(exportsApi, {
    'GET /api/export': (_, { query, user, reply }) => {
      const { content, ...file } = exports.open({ user, query })
      return asFile(reply, file).send(content)
    },
  })
