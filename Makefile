# make demo and make test are all that a newcomer needs; `make help` lists the rest.

GO     ?= go
PYTHON ?= python3

.PHONY: help demo test bench generate check-generated lint fmt tidy clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | expand -t 18

demo: ## build an operator and watch it handle an object on a private control plane
	@$(GO) run ./internal/gobuild/run ./internal/demo

test: ## run all tests, those against a real API server and real Kopf included
	@PYTHON=$(PYTHON) scripts/prerequisites
	@$(GO) run ./internal/gobuild/run ./internal/controlplane/prepare >/dev/null
	$(GO) test -race -timeout 20m ./...
	cd bench && $(GO) test .

bench: ## measure kopfgen beside Kopf and controller-runtime; BENCH='-rounds 1' for less
	@PYTHON=$(PYTHON) scripts/prerequisites >&2
	@cd bench && $(GO) run . $(BENCH)

generate: ## write again what is generated: operators, references, golden files excepted
	$(GO) generate ./...
	cd bench && $(GO) generate ./...

check-generated: generate ## fail if something generated is not committed as it would be generated now
	@git diff --exit-code --stat -- . || { echo 'generated files are stale: run make generate and commit'; exit 1; }
	@test -z "$$(git status --porcelain)" || { git status --short; echo 'make generate made new files: commit them'; exit 1; }

lint: ## check formatting, vet and staticcheck
	scripts/lint

fmt: ## format all Go files
	gofmt -w $$(git ls-files '*.go' | grep -vE '(^|/)testdata/')

tidy: ## bring go.mod of every module in order
	$(GO) mod tidy
	cd tools && $(GO) mod tidy
	cd bench && $(GO) mod tidy && $(GO) list -m all >/dev/null # adds what the benchmark's own go list would
	cmd/kopf-controlplane/tidy.sh

clean: ## remove what the targets above made in the tree
	rm -rf .cache bin
