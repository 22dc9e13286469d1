import type { ReactNode } from 'react'

interface TextVersion {
  label: string
  text: string
  detail?: ReactNode
}

export interface TextDiffProps {
  before: TextVersion
  after: TextVersion
  isTemplate?: boolean
}
