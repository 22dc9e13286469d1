import type { ReactNode } from 'react'

interface TextVersion {
  /** What the text is called. */
  label: string
  text: string
  /** At the other end of its head, such as whose it is. */
  detail?: ReactNode
}

export interface TextDiffProps {
  before: TextVersion
  after: TextVersion
  /** Colours references. */
  isTemplate?: boolean
}
