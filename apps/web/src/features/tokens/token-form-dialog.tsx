import type { FindFillsRequest } from '@catenary/contracts'
import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import { DraftFormDialog } from '../../components/forms/draft-form-dialog.tsx'
import { FillsField } from '../fills/fills-field.tsx'
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
  /** The same, for the private values in it. */
  reach: FindFillsRequest
}

/** Creates or edits a token: its name, what it reaches, and what most leave as it is. */
export function TokenFormDialog(props: TokenFormDialogProps) {
  const { token, noun, description, form, values, dialog, runsChains, switches, reach, children } = props
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
      <Controller
        control={form.control}
        name="fills"
        render={({ field: { value, onChange } }) => (
          <FillsField reach={reach} value={value} onChange={onChange} />
        )}
      />
      <TokenLimits form={form} values={values} runsChains={runsChains}>
        {switches}
      </TokenLimits>
    </DraftFormDialog>
  )
}
