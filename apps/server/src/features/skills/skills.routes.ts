import { skillsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { SkillFetches } from './skill-fetches.service.ts'
import type { Skills } from './skills.service.ts'

export const skillsRoutes = ({ skills, fetches }: { skills: Skills; fetches: SkillFetches }): Routes =>
  handlers(skillsApi, {
    'GET /api/prompts/{id}/skill': (_, { params, user }) => skills.find({ ...params, user }),
    'PUT /api/prompts/{id}/skill': (_, { params, body, user }) =>
      skills.save({ ...params, fields: body, user }),
    'DELETE /api/prompts/{id}/skill': (_, { params, user }) => skills.remove({ ...params, user }),
    'GET /api/skills': (_, { query, user }) => skills.list({ user, query }),
    'GET /api/prompts/{id}/fetches': (_, { params, query, user }) => fetches.list({ ...params, user, query }),
  })
