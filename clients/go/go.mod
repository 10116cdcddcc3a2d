module example.com/tfjob-webhook/exitcodes

go 1.19
