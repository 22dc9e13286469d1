import type { ReactNode } from 'react'
import { DraftFormDialog } from '../../components/forms/draft-form-dialog.tsx'
import { TokenLimits, type TokenLimitsProps, TokenNameField } from './token-fields.tsx'
import type { AnyToken } from './token-texts.ts'
import type { TokenFormState } from './use-token-form.ts'

export interface TokenFormDialogProps extends TokenFormState, Pick<TokenLimitsProps, 'runsChains'> {
  token: AnyToken | null
  /** What it is a form of: 'API Token'. */
  noun: string
  description: string | undefined
  /** Switches of one kind of token alone. */
  switches?: ReactNode
  /** What it reaches. */
  children: ReactNode
}

/** Creates or edits a token: its name, what it reaches, and what most leave as it is. */
export function TokenFormDialog(props: TokenFormDialogProps) {
  const { token, noun, description, form, values, dialog, runsChains, switches, children } = props
  return (
    <DraftFormDialog
      title={token ? `Edit ${noun}` : `Create ${noun}`}
      description={description}
      submitLabel={token ? 'Save Changes' : 'Create Token'}
      pendingLabel={token ? 'Saving...' : 'Creating...'}
      {...dialog}
    >
      <TokenNameField form={form} />
      {children}
      <TokenLimits form={form} values={values} runsChains={runsChains}>
        {switches}
      </TokenLimits>
    </DraftFormDialog>
  )
}
