import {
  createBestTokenRequest,
  createOwnTokenRequest,
  type FindFillsRequest,
  fill,
  HOOK_SIGNATURE_FORMS,
  HOOK_SIGNATURE_HEADERS,
  keptSend,
  type OwnTokenDetails,
  scopesOf,
  TOKEN_ABILITIES,
  TOKEN_TYPES,
  type TokenAbility,
  type TokenReach,
  type TokenScope,
  type TokenType,
} from '@catenary/contracts'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import { numberText, typedNumber } from '../../../lib/text/number-of.ts'

const { shape } = createBestTokenRequest

export const SIGNATURE_CHOICES = ['none', ...HOOK_SIGNATURE_FORMS] as const

/** What is saved, from texts where they are typed; each kind of token takes those fields that it has. */
export const tokenForm = z.object({
  name: shape.name,
  kind: z.enum(TOKEN_TYPES),
  chainId: z.int().nullable(),
  allPrompts: z.boolean(),
  promptIds: z.array(z.int()),
  allChains: z.boolean(),
  chainIds: z.array(z.int()),
  abilities: z.array(z.enum(TOKEN_ABILITIES)),
  labels: createOwnTokenRequest.shape.labels.unwrap(),
  chainLabel: createOwnTokenRequest.shape.chainLabel.unwrap(),
  threshold: shape.threshold.unwrap(),
  expiresAt: shape.expiresAt.unwrap(),
  requestsPerMinute: typedNumber.pipe(shape.requestsPerMinute.unwrap()),
  callsAtOnce: typedNumber.pipe(shape.callsAtOnce.unwrap()),
  monthlyBudgetUsd: typedNumber.pipe(shape.monthlyBudgetUsd.unwrap()),
  answersHelperJobs: z.boolean(),
  showsProgress: z.boolean(),
  fills: z.array(fill).nullable(),
  sends: z.array(keptSend).nullable(),
  signatureForm: z.enum(SIGNATURE_CHOICES),
  signatureHeader: z.string(),
  signatureSecret: z.string(),
  deliveryHeader: z.string(),
})
export type TokenForm = z.output<typeof tokenForm>

const text = z.string().default('')

/** While it is being filled in nothing is required, and numbers are as they are typed; the defaults are a new token's. */
export const tokenInput = z.object({
  name: text,
  kind: z.enum(TOKEN_TYPES).default('mcp'),
  chainId: z.int().nullable().default(null),
  allPrompts: z.boolean().default(true),
  promptIds: z.array(z.int()).default([]),
  allChains: z.boolean().default(false),
  chainIds: z.array(z.int()).default([]),
  abilities: z.array(z.enum(TOKEN_ABILITIES)).default([]),
  labels: z.array(z.string()).default([]),
  chainLabel: z.string().nullable().default(null),
  threshold: z.number().nullable().default(null),
  expiresAt: z.string().nullable().default(null),
  requestsPerMinute: text,
  callsAtOnce: text,
  monthlyBudgetUsd: text,
  answersHelperJobs: z.boolean().default(true),
  showsProgress: z.boolean().default(false),
  /** Null: what the texts hold when it is made. */
  fills: z.array(fill).nullable().default(null),
  /** Null: nowhere, where it is made. */
  sends: z.array(keptSend).nullable().default(null),
  signatureForm: z.enum(SIGNATURE_CHOICES).default('none'),
  /** Empty: the usual one of the form. */
  signatureHeader: text,
  /** Empty: the one that was set before. */
  signatureSecret: text,
  deliveryHeader: text,
})
export type TokenFormInput = z.output<typeof tokenInput>

/** Where a form begins: with its choice made by the place that opened it. */
export interface TokenStart {
  kind: TokenType
  name?: string
  chainId?: number
  prompt?: { id: number; title: string } | null
}

export const newForm = ({ kind, name = '', chainId, prompt }: TokenStart): TokenFormInput =>
  tokenInput.parse({
    name,
    kind,
    chainId: chainId ?? null,
    promptIds: prompt ? [prompt.id] : [],
    allChains: isAllAtFirst(kind),
  })

/** A Best Chain token is for all chains, unless some are chosen; what an agent may run is chosen. */
export const isAllAtFirst = (kind: TokenType): boolean => kind === 'best'

export function formOf(token: OwnTokenDetails): TokenFormInput {
  const { tokenType: kind, scopes, namedPrompts, namedChains } = token
  return tokenInput.parse({
    ...token,
    kind,
    allPrompts: scopes.includes('prompts'),
    promptIds: namedPrompts.map(({ id }) => id),
    allChains: scopes.includes('chains'),
    chainIds: namedChains.map(({ id }) => id),
    abilities: TOKEN_ABILITIES.filter((ability) => scopes.includes(ability)),
    requestsPerMinute: numberText(token.requestsPerMinute),
    callsAtOnce: numberText(token.callsAtOnce),
    monthlyBudgetUsd: numberText(token.monthlyBudgetUsd),
    deliveryHeader: token.deliveryHeader ?? '',
    signatureForm: token.signature?.form ?? 'none',
    signatureHeader: headerOf(token.signature),
  })
}

function headerOf(signature: OwnTokenDetails['signature']): string {
  if (signature === null || signature.header === HOOK_SIGNATURE_HEADERS[signature.form]) return ''
  return signature.header
}

type Choice = Pick<TokenForm, 'kind' | 'abilities' | 'chainId' | keyof PickedReach>
type PickedReach = Pick<TokenForm, 'allPrompts' | 'promptIds' | 'allChains' | 'chainIds'>

/** What a token of the kind names; null: that kind chooses no such thing. */
function namedBy({ kind, chainId, allPrompts, promptIds, allChains, chainIds }: Choice) {
  const prompts = { includesAllPrompts: allPrompts, promptIds: allPrompts ? [] : promptIds }
  const chains = { includesAllChains: allChains, chainIds: allChains ? [] : chainIds }
  switch (kind) {
    case 'chain':
    case 'hook':
      return { prompts: null, chains: { chainIds: chainId === null ? [] : [chainId] } }
    case 'best':
      return { prompts: null, chains }
    case 'read':
      return { prompts: { promptIds }, chains: null }
    case 'mcp':
    case 'scoped':
      return { prompts, chains }
    case 'folder':
      return { prompts: null, chains: null }
  }
}

function abilitiesOf({ kind, abilities }: Pick<Choice, 'kind' | 'abilities'>): readonly TokenAbility[] {
  const also = (...optional: TokenAbility[]) => optional.filter((ability) => abilities.includes(ability))
  switch (kind) {
    case 'chain':
    case 'best':
      return ['run']
    case 'read':
      return ['read', 'resolve', ...also('run')]
    case 'hook':
      return ['hook']
    case 'mcp':
      return ['agent']
    case 'folder':
      return ['folder.read', ...also('folder.write', 'evaluate')]
    case 'scoped':
      return abilities
  }
}

export function scopesOfForm(choice: Choice): TokenScope[] {
  const { prompts, chains } = namedBy(choice)
  return scopesOf({ ...prompts, ...chains }, abilitiesOf(choice))
}

/** What is chosen as it was stays word by word: it may name what its person can't see any more. */
export function changedScopes(token: OwnTokenDetails, choice: Choice): TokenScope[] | null {
  const before = scopesOfForm(formOf(token))
  const after = scopesOfForm(choice)
  if (`${before}` === `${after}`) return null
  const isSame = (of: (scope: TokenScope) => boolean) => `${before.filter(of)}` === `${after.filter(of)}`
  const kept = (of: (scope: TokenScope) => boolean) => (isSame(of) ? token.scopes : after).filter(of)
  return [
    ...kept((scope) => scope.startsWith('prompt')),
    ...kept((scope) => scope.startsWith('chain')),
    ...abilitiesOf(choice),
  ]
}

export function isIncomplete(choice: Choice & { name: string }): boolean {
  return choice.name.trim() === '' || !isReaching(choice) || scopesOfForm(choice).length === 0
}

/** False for one that would name nothing. */
export function isReaching(choice: Choice): boolean {
  const { prompts, chains } = namedBy(choice)
  if (choice.kind === 'folder') return true
  if (choice.kind === 'scoped' && abilitiesOf(choice).some(isOfFolders)) return true
  const reach: Partial<TokenReach> = { ...prompts, ...chains }
  const { includesAllPrompts, includesAllChains, promptIds = [], chainIds = [] } = reach
  return Boolean(includesAllPrompts || includesAllChains) || promptIds.length + chainIds.length > 0
}

const isOfFolders = (ability: TokenAbility) => ability.startsWith('folder') || ability === 'evaluate'

/** The texts that it may fill private values into (D69). */
export function filledBy(choice: Choice): FindFillsRequest {
  if (choice.kind === 'folder') {
    return choice.abilities.includes('evaluate') ? { allPrompts: true, allChains: true } : {}
  }
  const { prompts, chains } = namedBy(choice)
  const reach: Partial<TokenReach> = { ...prompts, ...chains }
  const { includesAllPrompts, includesAllChains, promptIds, chainIds } = reach
  return {
    ...(includesAllPrompts ? { allPrompts: true } : promptIds && { promptIds }),
    ...(includesAllChains ? { allChains: true } : chainIds && { chainIds }),
  }
}

const RUNNING: readonly TokenAbility[] = ['run', 'agent', 'hook']

/** Chains by name that it may run, whose steps may take values to others than models (D89). */
export function askedChains(choice: Choice): readonly number[] {
  const runs = abilitiesOf(choice).some((ability) => RUNNING.includes(ability))
  return (runs && namedBy(choice).chains?.chainIds) || []
}

/** What else a token of the kind has. */
export function settingsOf(form: TokenForm) {
  const { kind, name, expiresAt, requestsPerMinute, callsAtOnce, monthlyBudgetUsd, fills, sends } = form
  const { answersHelperJobs, showsProgress, chainLabel, threshold, labels } = form
  return {
    name,
    expiresAt,
    requestsPerMinute,
    callsAtOnce,
    monthlyBudgetUsd,
    ...(fills && { fills }),
    ...(sends && { sends }),
    ...(runsAsModel(kind) && { answersHelperJobs, showsProgress }),
    ...((kind === 'chain' || kind === 'hook') && { chainLabel }),
    ...(kind === 'hook' && hookSettingsOf(form)),
    ...(kind === 'best' && { threshold }),
    ...(kind === 'mcp' && { labels }),
  }
}

export const runsAsModel = (kind: TokenType): boolean => kind === 'chain' || kind === 'best'

function hookSettingsOf(form: TokenForm) {
  const { signatureForm, signatureHeader: header, signatureSecret: secret, deliveryHeader } = form
  const signature =
    signatureForm === 'none'
      ? null
      : { form: signatureForm, ...(header.trim() !== '' && { header }), ...(secret !== '' && { secret }) }
  return { signature, deliveryHeader: deliveryHeader.trim() === '' ? null : deliveryHeader }
}

export interface TokenFieldsProps {
  form: UseFormReturn<TokenFormInput, unknown, TokenForm>
  values: TokenFormInput
}

export interface ReachFieldsProps extends TokenFieldsProps {
  /** Of a chain's token: the chosen chain, or the one that stands for it. */
  chainId: number | null
  token: OwnTokenDetails | null
  start: TokenStart
}
