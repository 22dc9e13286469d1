import * as z from 'zod'

const SLUG_PATTERN = /^[a-z][a-z0-9-]{0,63}$/
/** Every slug that a record ever had keeps answering: it may have so many. */
export const SLUGS_MAX = 20

/** Names that begin as a chain's or a prompt's does for programs. Aliases of models are no slugs either. */
function isReservedSlug(slug: string): boolean {
  return /^((claude-)?chain-|pmpt_)/.test(slug)
}

const SLUG =
  'A slug begins with a letter, followed by letters, digits and hyphens, all lowercase, at most 64 characters'

export const slug = z
  .string()
  .regex(SLUG_PATTERN, SLUG)
  .describe('Name in URLs and for programs; unique per owner and kind. Former slugs keep working (D48).')

export const chosenSlug = slug
  .refine((slug) => !isReservedSlug(slug), {
    error: ({ input }) => `${input} is the name of a model or begins like one. Choose another slug.`,
  })
  .describe('Unique per owner and kind; not a model’s name, `chain-…`, `claude-chain-…` or `pmpt_…` (D48).')

export const slugParams = z.strictObject({ slug: slug.describe('Current or former slug.') })
