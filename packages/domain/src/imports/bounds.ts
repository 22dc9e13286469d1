export {
  NAME_MAX as CATEGORY_MAX,
  NAME_MAX as TAG_MAX,
  PROMPT_CONTENT_MAX as CONTENT_MAX,
  SYSTEM_PROMPT_MAX,
  TURNS_LENGTH_MAX,
  TURNS_MAX,
  VERSION_NOTE_MAX as NOTE_MAX,
} from '@catenary/contracts'

export const NODES_MAX = 400_000
export const DEPTH_MAX = 100
export const LOSSES_MAX = 20_000
/** One less than a prompt takes, for the tag of the import. */
export const TAGS_MAX = 49
