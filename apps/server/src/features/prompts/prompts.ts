import { setImmediate } from 'node:timers/promises'
import { promptAliasesApi, promptsApi, promptVersionsApi } from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { deleteVersion, requireVersion, saveVersionNote } from '../records/records.ts'
import {
  changePrompts,
  createChosenPrompt,
  deletePrompt,
  duplicatePrompt,
  restorePromptVersion,
  savePrompt,
  sharePrompt,
  togglePrompt,
} from './change-prompt.ts'
import { listPrompts, promptListState } from './list-prompts.ts'
import { giveAlias, listAliases, takeAlias } from './prompt-aliases.ts'
import { keepPromptSearch } from './prompts.sql.ts'
import { listPromptVersions, readPrompt, readPromptBySlug, readPromptVersion } from './read-prompts.ts'

export { createPrompt, restorePromptVersion, savePrompt } from './change-prompt.ts'
export { findSkill, listSkills, removeSkill, saveSkill, setSkill } from './keep-skills.ts'
export { lockLinkedText, type PromptLink, readLinkedTexts } from './link-prompts.ts'
export { createPrompts, deletePrompts } from './many-prompts.ts'
export { giveAliases } from './prompt-aliases.ts'
export { countPromptsByName, listPromptsByName, renameInPrompts } from './prompt-references.ts'
export {
  listVisibleClips,
  lockVisiblePrompts,
  openForChange as openPromptForChange,
  readPrompt,
  readPromptVersion,
} from './read-prompts.ts'
export { findOptionalSkill } from './skills.sql.ts'

export const servePrompts = handlers(promptsApi, {
  'GET /api/prompts': async (ctx, { query, user, isUnchanged }) =>
    isUnchanged(await promptListState(ctx, user)) ? undefined : listPrompts(ctx, { user, query }),
  'GET /api/prompts/{id}': (ctx, { params, user }) => readPrompt(ctx, { ...params, user }),
  'GET /api/prompts/by-slug/{slug}': (ctx, { params, user }) => readPromptBySlug(ctx, { ...params, user }),
  'POST /api/prompts': (ctx, { body: { revision: _unread, ...fields }, user }) =>
    createChosenPrompt(ctx, { fields, user }),
  'PUT /api/prompts/{id}': (ctx, { params, body: { revision, ...fields }, user }) =>
    savePrompt(ctx, { ...params, user, revision, fields, isShown: true }),
  'PATCH /api/prompts/{id}/share': (ctx, { params, body, user }) =>
    sharePrompt(ctx, { ...params, user, isPublic: body.sharedLevel === 'public' }),
  'PATCH /api/prompts/{id}/toggle': (ctx, { params, body, user }) =>
    togglePrompt(ctx, { ...params, user, isActive: body?.isActive }),
  'DELETE /api/prompts/{id}': (ctx, { params, user }) => deletePrompt(ctx, { ...params, user }),
  'POST /api/prompts/bulk': (ctx, { body, user }) => changePrompts(ctx, { ...body, user }),
  'POST /api/prompts/{id}/duplicate': (ctx, { params, user }) => duplicatePrompt(ctx, { ...params, user }),
})

export const servePromptAliases = handlers(promptAliasesApi, {
  'GET /api/prompts/{id}/aliases': (ctx, { params, user }) => listAliases(ctx, { ...params, user }),
  'PUT /api/prompts/{id}/aliases/{alias}': (ctx, { params, user }) => giveAlias(ctx, { ...params, user }),
  'DELETE /api/prompts/{id}/aliases/{alias}': (ctx, { params, user }) => takeAlias(ctx, { ...params, user }),
})

export const servePromptVersions = handlers(promptVersionsApi, {
  'GET /api/prompts/{id}/versions': (ctx, { params, query, user }) =>
    listPromptVersions(ctx, { ...params, user, query }),
  'GET /api/prompts/{id}/versions/{number}': (ctx, { params, user }) =>
    readPromptVersion(ctx, { ...params, user }),
  'POST /api/prompts/{id}/versions/{number}/restore': async (ctx, { params, body, user }) =>
    requireVersion(await restorePromptVersion(ctx, { ...params, user, revision: body?.revision })),
  'DELETE /api/prompts/{id}/versions/{number}': (ctx, { params, user }) =>
    deleteVersion(ctx, { kind: 'prompt', ...params, user }),
  'PATCH /api/prompts/{id}/versions/{number}': (ctx, { params, body, user }) =>
    saveVersionNote(ctx, { kind: 'prompt', ...params, ...body, user }),
})

/** For prompts that the version before saves, while it runs beside this one. */
const SEARCH_SECONDS = 300

export function workPromptSearch({ db, jobs }: Context): void {
  jobs.queue('search').work({
    repeatSeconds: SEARCH_SECONDS,
    atStart: 'unread',
    handle: async () => {
      while ((await keepPromptSearch(db)) > 0) await setImmediate()
    },
  })
}
