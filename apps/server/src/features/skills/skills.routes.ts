import { idParams, listedSkill, listQuery, promptFetch, saveSkillRequest, skill } from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { SkillFetches } from './skill-fetches.service.ts'
import type { Skills } from './skills.service.ts'

const tags = ['prompts']

export function skillsRoutes({ skills, fetches }: { skills: Skills; fetches: SkillFetches }): Routes {
  return (app) => {
    app.get(
      '/api/prompts/:id/skill',
      {
        schema: {
          tags,
          summary: 'As which skill a prompt is served to agents',
          params: idParams,
          response: { 200: skill, ...errorReplies(401) },
        },
      },
      async (request) => skills.find({ id: request.params.id, user: await requireUser(request) }),
    )

    app.put(
      '/api/prompts/:id/skill',
      {
        schema: {
          tags,
          summary: 'Serve a prompt to agents as a skill, for people who may change it',
          description: 'Its text, of the version that a token serves, is SKILL.md; its slug is the name.',
          params: idParams,
          body: saveSkillRequest,
          response: { 200: skill },
        },
      },
      async (request) =>
        skills.save({ id: request.params.id, fields: request.body, user: await requireUser(request) }),
    )

    defineDeleteRoute(app, '/api/prompts/:id/skill', {
      tags,
      summary: 'Serve a prompt as a skill no more, for people who may change it',
      params: idParams,
      remove: async (call) => skills.remove({ id: call.params.id, user: await requireUser(call) }),
    })

    defineListRoute(app, '/api/skills', {
      tags,
      summary: 'Prompts that are served to agents as skills, by slug',
      querystring: listQuery,
      item: listedSkill,
      errors: errorReplies(401),
      read: async (call) => skills.list({ user: await requireUser(call), query: call.query }),
    })

    defineListRoute(app, '/api/prompts/:id/fetches', {
      tags,
      summary: 'Who fetched which version of a prompt, the last one first, for people who may change it',
      params: idParams,
      querystring: listQuery,
      item: promptFetch,
      errors: errorReplies(401, 403),
      read: async (call) =>
        fetches.list({ id: call.params.id, user: await requireUser(call), query: call.query }),
    })
  }
}
