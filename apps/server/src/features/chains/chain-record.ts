import type {
  Chain,
  ChainStep,
  CreateStepRequest,
  NamedBy,
  ShareRole,
  StepSettings,
} from '@catenary/contracts'

/** A chain as stored, and the viewer's role in its shares. */
export type ChainRecord = Omit<Chain, 'canView' | 'canEdit' | 'canDelete' | 'canExecute' | 'steps'> & {
  ownerId: number
  visibilityEpoch: number
  shareRole: ShareRole | null
}

/** What every list reads of it. */
export type BriefChainRecord = Omit<
  ChainRecord,
  'exampleRequests' | 'asksFirst' | 'slug' | 'version' | 'labels'
>

type StepSettingChanges = Pick<CreateStepRequest, keyof StepSettings>

/** A step as stored: without what depends on the viewer. */
export type StepRecord = Omit<ChainStep, 'linkedPrompt' | 'othersNames'> & { namedBy: NamedBy }
export type StepFields = Omit<StepRecord, 'id' | 'namedBy' | keyof StepSettings> & StepSettingChanges

/** The same as columns. */
export type StepColumns = Omit<StepRecord, 'id' | keyof StepSettings> & { settings: StepSettings | null }

/** A step with the beginnings of its texts. */
export interface ListedStepRecord extends StepRecord {
  contentLength: number
  /** Its settings are left out. */
  isSettingsLong: boolean
  systemPromptLength: number | null
}
