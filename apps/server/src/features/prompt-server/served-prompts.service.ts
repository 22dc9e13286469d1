import type { ListServedPromptsQuery, ServedPrompt, ServedPromptList, User } from '@catenary/contracts'
import { consentTo } from '../../consent.ts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { addFetch, addUse, countGrant, type Grant, openGrant } from '../tokens/tokens.ts'
import type { VariablesService } from '../variables/variables.ts'
import type { NamedPrompts, VersionChoice } from './named-prompts.service.ts'
import { othersTextOf } from './others-text.ts'
import { createServedTexts } from './served-texts.ts'
import { countServedPrompts, listServedPrompts } from './served-versions.repository.ts'

interface Fetch {
  token: string | undefined
  /** Name and version of the program, as it says; may be empty. */
  client: string
  name: string
  choice: VersionChoice
  /** Fill in what the library has for the token's creator. */
  resolve: boolean
  /** Aborts when the caller leaves. */
  signal: AbortSignal
}

interface Served {
  prompt: ServedPrompt
  label: string | null
}

export interface ServedPromptsDeps {
  ctx: Context
  namedPrompts: NamedPrompts
  variables: Pick<VariablesService, 'resolve'>
}

export type ServedPrompts = ReturnType<typeof createServedPrompts>

/** The prompt server: what programs fetch with a read token. */
export function createServedPrompts({ ctx, namedPrompts, variables }: ServedPromptsDeps) {
  const { db } = ctx
  const { toServedText, toServedConfig } = createServedTexts(variables)

  /** A call of a read token, counted whether it succeeds or not. */
  async function counted<Answer>(
    { token, client }: { token: string | undefined; client: string },
    answer: (grant: Grant) => Promise<Answer>,
  ): Promise<Answer> {
    const grant = requireRead(await countGrant(ctx, token))
    const { tokenId } = grant
    try {
      const answered = await answer(grant)
      addUse(ctx, { tokenId, calls: 1, client })
      return answered
    } catch (error) {
      const { code, message } = error instanceof AppError ? error : { code: 'internal', message: FAILED }
      addUse(ctx, { tokenId, calls: 1, client, error: { code, message } })
      throw error
    }
  }

  return {
    /** Whose read token it is. Throws `forbidden` for another kind. */
    admit: async (token: string | undefined): Promise<User> => requireRead(await openGrant(ctx, token)).user,

    fetch: ({ token, client, name, choice, resolve, signal }: Fetch): Promise<Served> =>
      counted({ token, client }, async (grant) => {
        const { prompt, version, label } = await namedPrompts.find({ grant, name, choice })
        const { number, content, settings, note, labels } = version
        const { user, allowed } = grant
        const others = othersTextOf({ prompt, version, user })
        const filling = { user, resolve, consent: await consentTo(resolve ? [others] : [], allowed), signal }
        addFetch(ctx, { grant, promptId: prompt.id, kind: 'prompt', version: number, label, client })
        return {
          label,
          prompt: {
            name: prompt.slug,
            version: number,
            type: 'text',
            prompt: await toServedText({ content, ...filling }),
            config: await toServedConfig({ settings, ...filling }),
            labels,
            tags: prompt.tags.map((tag) => tag.name),
            commitMessage: note === '' ? null : note,
            resolutionGraph: null,
          },
        }
      }),

    /** What the token reaches, by name. */
    list: ({
      token,
      client,
      query,
    }: {
      token: string | undefined
      client: string
      query: ListServedPromptsQuery
    }): Promise<ServedPromptList> =>
      counted({ token, client }, async ({ user, promptIds: ids }) => {
        const { page, limit, ...filter } = query
        const wanted = { ...filter, ids, userId: user.id }
        const totalItems = await countServedPrompts(db, wanted)
        const rows = await listServedPrompts(db, { ...wanted, page, limit })
        return {
          data: rows.map(({ updatedAt, ...row }) => ({
            ...row,
            type: 'text',
            lastUpdatedAt: updatedAt.toISOString(),
            lastConfig: {},
          })),
          meta: { page, limit, totalItems, totalPages: Math.ceil(totalItems / limit) },
        }
      }),
  }
}

const FAILED = 'Something went wrong on the server'

function requireRead(grant: Grant): Grant {
  if (grant.type === 'read') return grant
  throw new AppError(
    'forbidden',
    'This token is for chains or agents. Prompts are fetched with a read token.',
  )
}
