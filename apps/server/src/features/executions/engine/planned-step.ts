import type { StopsWithoutValue } from '@catenary/contracts'

/** A step of a run as it goes, whatever becomes of the chain meanwhile. */
export interface PlannedStep {
  /** Of the chain's step. */
  id: number
  /** 0 for the first. */
  position: number
  title: string
  model: string
  promptId: number | null
  promptVersion: number | null
  template: string
  systemPrompt: string
  outputVariableName: string
  temperature: number | null
  maxTokens: number | null
  /** The chain's; absent in runs that began before chains had it. */
  stopsWithoutValue?: StopsWithoutValue
}
