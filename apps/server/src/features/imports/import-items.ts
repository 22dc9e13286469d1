import type { ImportItem } from '@catenary/contracts'
import { cutText } from '@catenary/domain'
import type { Match } from './imports.policy.ts'
import type { AllMade } from './make-import.ts'
import type { OwnMatch, OwnMatches } from './own-records.ts'

const CONTENT_SHOWN = 20_000
const CONTENTS_SHOWN = 1_000_000

interface Shown {
  matches: readonly Match[]
  own: OwnMatches
  made: AllMade | undefined
  slugs: ReadonlyMap<number, string>
}

export function toItems({ matches, own, made, slugs }: Shown): ImportItem[] {
  let left = CONTENTS_SHOWN
  const show = (content: string): string | null => {
    const shown = cutText(content, CONTENT_SHOWN).toWellFormed()
    left -= shown.length
    return left >= 0 ? shown : null
  }
  const prompts = matches.map((match) => ofPrompt(match, { made, show, slugs }))
  const chains = own.chains.map((match) => ofOwn(match, { made, show }))
  const suites = own.suites.map((match) => ofOwn(match, { made, show }))
  return [...prompts, ...chains, ...suites].sort((a, b) => a.file - b.file)
}

interface Showing {
  made: AllMade | undefined
  show: (content: string) => string | null
}

function ofPrompt(
  { state, existing, incoming }: Match,
  { made, show, slugs }: Showing & Pick<Shown, 'slugs'>,
): ImportItem {
  const { key, file, prompt } = incoming
  const done = made?.prompts.get(key)
  return {
    key,
    kind: 'prompt',
    name: prompt.title,
    state,
    file,
    at: prompt.at,
    tests: prompt.suite?.cases.length ?? 0,
    isSkill: prompt.skill != null,
    alias: aliasOf(prompt.alias, { done, made }),
    slug: (done && slugs.get(done.promptId)) ?? null,
    existing: existing
      ? {
          id: existing.id,
          version: existing.version,
          isNewer: prompt.savedAt !== undefined && existing.updatedAt.toISOString() > prompt.savedAt,
        }
      : null,
    content: state === 'conflict' ? show(prompt.content) : null,
    here: null,
    made: done?.made ?? null,
    promptId: done?.promptId ?? null,
    chainId: null,
    suiteId: null,
  }
}

function aliasOf(
  alias: string | undefined,
  { done, made }: { done: object | undefined; made: AllMade | undefined },
): string | null {
  if (alias === undefined) return null
  return done === undefined || made?.aliases.has(alias) ? alias : null
}

function ofOwn(match: OwnMatch, { made, show }: Showing): ImportItem {
  const { key, file, record, state, existing, text } = match
  const chain = made?.chains.find((each) => each.key === key)
  const suite = made?.suites.find((each) => each.key === key)
  const isConflict = state === 'conflict' && existing !== undefined
  return {
    key,
    kind: record.kind,
    name: record.name,
    state,
    file,
    at: '',
    tests: record.kind === 'suite' ? record.cases.length : 0,
    isSkill: false,
    alias: null,
    slug: null,
    existing: existing ? { id: existing.id, version: existing.version, isNewer: false } : null,
    content: isConflict ? show(text) : null,
    here: isConflict ? show(existing.text) : null,
    made: (chain ?? suite)?.made ?? null,
    promptId: null,
    chainId: chain?.chainId ?? null,
    suiteId: suite?.suiteId ?? null,
  }
}
