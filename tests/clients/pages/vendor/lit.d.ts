/** What the pages use of Lit, as they use it. */
export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: readonly unknown[];
}
export interface CSSResult {
  readonly styleSheet: CSSStyleSheet;
}
export const nothing: unique symbol;
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): TemplateResult;
export function svg(strings: TemplateStringsArray, ...values: readonly unknown[]): TemplateResult;
export function css(strings: TemplateStringsArray, ...values: readonly CSSResult[]): CSSResult;
export function repeat<T>(items: Iterable<T>, key: (item: T, index: number) => unknown, template: (item: T, index: number) => unknown): TemplateResult;
/** What the selectors of the pages find, beside elements that are called by their tag. */
export interface Found {}
type Finds = Found & Omit<HTMLElementTagNameMap, keyof Found>;
/** Templates of ours draw elements of HTML, and those of ours. */
interface Finding {
  querySelector<K extends keyof Found>(selector: K): Found[K]; // where they are looked for they are drawn
  querySelector<K extends keyof Finds>(selector: K): Finds[K] | null;
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll<K extends keyof Finds>(selector: K): NodeListOf<Finds[K] & HTMLElement>;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
}
type Drawn = Omit<ShadowRoot, keyof Finding | "activeElement"> & Finding & { readonly activeElement: HTMLElement | null };
declare const Drawing: { new (): Omit<HTMLElement, keyof Finding | "getRootNode"> & Finding; prototype: HTMLElement };
export class LitElement extends Drawing {
  readonly renderRoot: Drawn;
  readonly updateComplete: Promise<boolean>;
  readonly isUpdatePending: boolean;
  getRootNode(): Drawn;
  connectedCallback(): void;
  disconnectedCallback(): void;
  createRenderRoot(): this | ShadowRoot;
  willUpdate(changed: Map<PropertyKey, unknown>): void;
  updated(changed: Map<PropertyKey, unknown>): void;
  requestUpdate(): void;
}
