import { type Fragment, type Html, html } from '../../http/html.js';
import { type FieldErrors, type FieldName, type FieldValues, MESSAGES } from '../checkout-form.js';
import { COUNTRIES } from '../countries.js';
import { money } from '../money.js';
import { SHIPPING_METHODS } from '../shipping.js';

export interface FormState {
  readonly values: FieldValues;
  readonly errors: FieldErrors;
}

interface TextField {
  readonly name: FieldName;
  readonly label: string;
  readonly autocomplete: string;
  readonly type?: 'text' | 'email';
  readonly hint?: string;
}

export function textField(form: FormState, field: TextField): Html {
  const { name, label, autocomplete, type = 'text', hint } = field;
  return html`<div class="field">
  <label for="${name}">${label}</label>
  <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="120" required value="${form.values[name]}"${state(form, name, hint)}>
  ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${errorText(form, name)}
</div>`;
}

export function countryField(form: FormState): Html {
  return html`<div class="field">
  <label for="country">Country</label>
  <select id="country" name="country" autocomplete="country" required${state(form, 'country')}>
    <option value="">Choose a country</option>
    ${COUNTRIES.map(
      ({ code, name, postalPattern, postalExample }) =>
        html`<option value="${code}" data-pattern="${postalPattern}" data-example="${postalExample}"${form.values.country === code && html` selected`}>${name}</option>`,
    )}
  </select>
  ${errorText(form, 'country')}
</div>`;
}

export function shippingFields(form: FormState): Html {
  const chosen = form.values.shipping ?? SHIPPING_METHODS[0]?.id;
  return html`<fieldset id="shipping"><legend>Shipping</legend>
  <div class="choices">${SHIPPING_METHODS.map(
    ({
      id,
      name,
      note,
      price,
    }) => html`<label class="choice"><input type="radio" name="shipping" value="${id}" data-price="${price}" required${id === chosen && html` checked`}${state(form, 'shipping')}>
    <span class="choice-name">${name}</span> <span class="choice-note">${note}</span> <span class="price">${price === 0 ? 'Free' : money(price)}</span></label>`,
  )}</div>
  ${errorText(form, 'shipping')}
</fieldset>`;
}

export function termsField(form: FormState): Html {
  return html`<div class="field">
  <label class="check"><input id="terms" name="terms" type="checkbox" value="accepted" required${state(form, 'terms')}> I accept the terms of sale</label>
  <p class="hint"><a href="/terms" target="_blank" rel="noopener">Read the terms (opens in a new tab)</a></p>
  ${errorText(form, 'terms')}
</div>`;
}

export function errorText(form: FormState, name: FieldName): Html {
  const message = form.errors[name];
  return html`<p class="field-error" id="${name}-error"${!message && html` hidden`}>${message}</p>`;
}

function state(form: FormState, name: FieldName, hint?: string): Fragment {
  const described = `${hint ? `${name}-hint ` : ''}${name}-error`;
  return html` data-error="${MESSAGES[name]}" aria-describedby="${described}"${form.errors[name] && html` aria-invalid="true"`}`;
}
