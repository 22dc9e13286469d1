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
  noun: string
  description: string | undefined
  switches?: ReactNode
  children: ReactNode
  reach: FindFillsRequest
}

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
