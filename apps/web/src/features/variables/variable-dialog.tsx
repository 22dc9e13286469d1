import { useState } from 'react'
import { DraftFormDialog } from '../../components/forms/draft-form-dialog.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { useSuggestedName } from '../../lib/suggested-name.ts'
import { OwnerLine } from '../records/hand-overs/owner-line.tsx'
import { RenameNotice } from './rename-notice.tsx'
import { ApiFields } from './sources/api-fields.tsx'
import { type ChosenFile, FileField } from './sources/file-field.tsx'
import { GoogleDriveField } from './sources/google-drive-field.tsx'
import { VariableMediaField } from './sources/variable-media-field.tsx'
import { TextFields } from './text-fields.tsx'
import { type UseVariableFormOptions, useVariableForm } from './use-variable-form.ts'
import { VariableFields } from './variable-fields.tsx'

export default function VariableDialog(given: UseVariableFormOptions) {
  const { user } = useSession()
  const suggested = useSuggestedName()
  const options = { name: suggested, ...given }
  const { variable } = options
  const { form, values, dialog, ...state } = useVariableForm(options)
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [isUploading, setIsUploading] = useState(false)
  const { type } = values
  return (
    <DraftFormDialog
      title={variable ? 'Edit Variable' : 'Create New Variable'}
      submitLabel={variable ? 'Save Changes' : 'Create Variable'}
      pendingLabel={isUploading ? 'Uploading...' : 'Saving...'}
      {...dialog}
      pending={dialog.pending || isUploading}
    >
      <VariableFields
        form={form}
        renameNotice={
          variable &&
          state.isRenamed && (
            <RenameNotice
              variable={variable}
              name={values.name.trim()}
              rewrites={state.rewrites}
              onRewritesChange={state.setRewrites}
            />
          )
        }
        tagInput={state.tagInput}
      >
        {type === 'text' && <TextFields form={form} />}
        {type === 'file' && (
          <FileField
            form={form}
            variable={variable}
            chosen={chosen}
            onChoose={setChosen}
            onBusyChange={setIsUploading}
          />
        )}
        {(type === 'image' || type === 'document') && (
          <VariableMediaField
            key={type}
            kind={type}
            form={form}
            variable={variable}
            onBusyChange={setIsUploading}
          />
        )}
        {type === 'api' && <ApiFields form={form} variable={variable} />}
        {type === 'googleDrive' && <GoogleDriveField form={form} />}
      </VariableFields>
      {variable && variable.owner === user?.username && (
        <OwnerLine record={{ kind: 'variable', id: variable.id, name: variable.name }} />
      )}
    </DraftFormDialog>
  )
}
