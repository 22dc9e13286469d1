import { skillsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { findSkill, listFetches, listSkills, removeSkill, saveSkill } from './keep-skills.ts'

export { setSkill } from './keep-skills.ts'
export { readSkillFolder, SKILL_FILE, type SkillFolder } from './read-skill-folder.ts'

/** Prompts, and sets of them, that agents take as skills. */
export const serveSkills = handlers(skillsApi, {
  'GET /api/prompts/{id}/skill': (ctx, { params, user }) => findSkill(ctx, { ...params, user }),
  'PUT /api/prompts/{id}/skill': (ctx, { params, body, user }) =>
    saveSkill(ctx, { ...params, fields: body, user }),
  'DELETE /api/prompts/{id}/skill': (ctx, { params, user }) => removeSkill(ctx, { ...params, user }),
  'GET /api/skills': listSkills,
  'GET /api/prompts/{id}/fetches': (ctx, { params, query, user }) =>
    listFetches(ctx, { ...params, user, query }),
})
